import {
  type Address,
  createAddressWithSeed,
  getAddressDecoder,
  getAddressEncoder,
  isAddress,
  isOffCurveAddress,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { AppError, invariant } from '../../domain/errors';
import type { SplProgram } from './types';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address<'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'>;
/** The memo program of version 2, which every network has. The package defaults to a newer version. */
export const MEMO_PROGRAM =
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address<'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'>;
const PUBLIC_KEY_BYTES = 32;

export const programOf = (program: SplProgram): Address => (program === 'Spl' ? TOKEN_PROGRAM_ADDRESS : TOKEN_2022);
export const nameOfProgram = (address: string): SplProgram | undefined =>
  (['Spl', 'Spl2022'] as const).find((name) => programOf(name) === address);

export function asAddress(text: string): Address {
  invariant(isAddress(text), 'an address was checked before');
  return text;
}

/**
 * Accepts the base58 of any 32 bytes: an address is the public key, without a checksum. Throws `InvalidAddress` for
 * anything else.
 */
export function parseAddress(text: string): string {
  if (isAddress(text)) return text;
  throw new AppError('InvalidAddress', 'must be the base58 of 32 bytes');
}

export function addressOf(publicKeyHex: string): string {
  const bytes = Buffer.from(publicKeyHex, 'hex');
  if (bytes.length !== PUBLIC_KEY_BYTES || publicKeyHex.length !== 2 * PUBLIC_KEY_BYTES)
    throw new AppError('InvalidRequest', 'a public key of Ed25519 has 32 bytes');
  return getAddressDecoder().decode(bytes);
}

export const publicKeyOfAddress = (address: string): Uint8Array =>
  Uint8Array.from(getAddressEncoder().encode(asAddress(address)));

export const isOnCurve = (address: string): boolean => !isOffCurveAddress(asAddress(address));

export async function associatedTokenAddress(owner: string, mint: string, program: SplProgram): Promise<string> {
  const seeds = { owner: asAddress(owner), mint: asAddress(mint), tokenProgram: programOf(program) };
  const [address] = await findAssociatedTokenPda(seeds);
  return address;
}

export const seedAddress = (base: string, seed: string): Promise<string> =>
  createAddressWithSeed({ baseAddress: asAddress(base), programAddress: SYSTEM_PROGRAM_ADDRESS, seed });
