import { createHash } from 'node:crypto';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ComputeBudgetInstruction,
  getSetComputeUnitLimitInstructionDataDecoder,
  getSetComputeUnitPriceInstructionDataDecoder,
  identifyComputeBudgetInstruction,
} from '@solana-program/compute-budget';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { invariant } from '../../domain/errors';
import type { UnsignedBytes } from '../types';
import { nameOfProgram } from './addresses';
import type { KnownInstruction } from './instructions';
import type { SplProgram } from './types';

/** The fee for each signature. */
const SIGNATURE_LAMPORTS = 5_000n;
/** The highest limit that the network accepts. This limit also applies to a transaction that does not set a limit. */
export const COMPUTE_UNITS_MAX = 1_400_000;
const MICRO = 1_000_000n;
/** The maximum rent in lamports. The network determines the actual rent. */
const TOKEN_ACCOUNT_RENT: Readonly<Record<SplProgram, bigint>> = { Spl: 2_039_280n, Spl2022: 2_282_880n };
/** A packet holds the number of signatures, the signatures and the message. */
const PACKET_BYTES_MAX = 1_232;
export const SIGNATURE_BYTES = 64;

export const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
export const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

export const fitsPacket = (messageBytes: number, signatures = 1): boolean =>
  messageBytes + 1 + signatures * SIGNATURE_BYTES <= PACKET_BYTES_MAX;

/** EdDSA signs the message itself, so `digestHex` only identifies the message. */
export function unsignedOf(messageHex: string, signatures: number, maxFeeUnits: bigint): UnsignedBytes {
  const bytes = bytesOf(messageHex);
  invariant(fitsPacket(bytes.length, signatures), 'the transaction fits into a packet');
  return { bytesHex: messageHex, digestHex: hexOf(createHash('sha256').update(bytes).digest()), maxFeeUnits };
}

export const leastFeeUnits = (signatures: number): bigint => BigInt(signatures) * SIGNATURE_LAMPORTS;

type Budget = { readonly units?: number; readonly microLamports?: bigint };

function budgetOf({ data }: KnownInstruction): Budget {
  switch (identifyComputeBudgetInstruction(data)) {
    case ComputeBudgetInstruction.SetComputeUnitLimit:
      return getSetComputeUnitLimitInstructionDataDecoder().decode(data);
    case ComputeBudgetInstruction.SetComputeUnitPrice:
      return getSetComputeUnitPriceInstructionDataDecoder().decode(data);
    default:
      return {};
  }
}

/** Includes the maximum rent of every token account that may be created. */
export function maxFeeOf(signatures: number, instructions: readonly KnownInstruction[]): bigint {
  const budgets = instructions.filter((one) => one.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS).map(budgetOf);
  const price = budgets.reduce((most, { microLamports = 0n }) => (microLamports > most ? microLamports : most), 0n);
  const limits = budgets.flatMap(({ units }) => (units === undefined ? [] : [Math.min(units, COMPUTE_UNITS_MAX)]));
  const units = limits.length === 0 ? COMPUTE_UNITS_MAX : Math.max(...limits);
  const rents = instructions
    .filter((one) => one.programAddress === ASSOCIATED_TOKEN_PROGRAM_ADDRESS)
    .map(({ accounts }) => nameOfProgram(accounts[5]?.address ?? '') ?? 'Spl2022')
    .reduce((sum, program) => sum + TOKEN_ACCOUNT_RENT[program], 0n);
  return leastFeeUnits(signatures) + (BigInt(units) * price + MICRO - 1n) / MICRO + rents;
}
