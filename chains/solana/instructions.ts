import { type Address, type CompiledTransactionMessage, isAddress, type ReadonlyUint8Array } from '@solana/kit';
import {
  identifySystemInstruction,
  parseTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  SystemInstruction,
} from '@solana-program/system';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AssociatedTokenInstruction,
  identifyAssociatedTokenInstruction,
  identifyTokenInstruction,
  parseTransferCheckedInstruction,
  TokenInstruction,
} from '@solana-program/token';
import type { Effect } from '../types';
import { nameOfProgram } from './addresses';

/** Every account has the role 0: the network itself checks whether an account signs and is writable. */
export type KnownInstruction = {
  readonly programAddress: Address;
  readonly accounts: readonly { readonly address: Address; readonly role: 0 }[];
  readonly data: ReadonlyUint8Array;
};

/**
 * These instructions give away accounts or authority over accounts, withdraw from or close accounts, or destroy tokens. A batch
 * can contain any of them.
 */
const REFUSED_SYSTEM: readonly SystemInstruction[] = [
  SystemInstruction.Assign,
  SystemInstruction.AssignWithSeed,
  SystemInstruction.WithdrawNonceAccount,
  SystemInstruction.AuthorizeNonceAccount,
];
const REFUSED_TOKEN: readonly TokenInstruction[] = [
  TokenInstruction.Approve,
  TokenInstruction.ApproveChecked,
  TokenInstruction.SetAuthority,
  TokenInstruction.Burn,
  TokenInstruction.BurnChecked,
  TokenInstruction.CloseAccount,
  TokenInstruction.Batch,
];

type Read = { readonly instruction: KnownInstruction; readonly isWhole: boolean };

/**
 * Undefined if the address of a program is only in a lookup table, or if the message is of version 1. An instruction that takes
 * an account from a lookup table is returned without any accounts.
 */
function readIn(message: CompiledTransactionMessage): readonly Read[] | undefined {
  if (message.version === 1) return undefined;
  const { staticAccounts, instructions } = message;
  const read = instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }): Read | undefined => {
    const programAddress = staticAccounts[programAddressIndex];
    if (programAddress === undefined) return undefined;
    const accounts = accountIndices.flatMap((index) => {
      const address = staticAccounts[index];
      return address === undefined ? [] : [{ address, role: 0 } as const];
    });
    const isWhole = accounts.length === accountIndices.length;
    return { instruction: { programAddress, accounts: isWhole ? accounts : [], data }, isWhole };
  });
  const known = read.filter((one) => one !== undefined);
  return known.length === read.length ? known : undefined;
}

/** Undefined if the message uses a lookup table, because the bytes do not show the table's content. */
export function instructionsIn(message: CompiledTransactionMessage): readonly KnownInstruction[] | undefined {
  if (message.version === 0 && (message.addressTableLookups?.length ?? 0) > 0) return undefined;
  const read = readIn(message);
  return read?.every(({ isWhole }) => isWhole) ? read.map(({ instruction }) => instruction) : undefined;
}

/** Allows lookup tables: an instruction that takes an account from a table is returned without accounts. */
export const seenIn = (message: CompiledTransactionMessage): readonly KnownInstruction[] | undefined =>
  readIn(message)?.map(({ instruction }) => instruction);

/** Undefined for an instruction that the program's client package does not know. */
function nameOf<T>(identify: (instruction: KnownInstruction) => T, instruction: KnownInstruction): T | undefined {
  try {
    return identify(instruction);
  } catch {
    return undefined;
  }
}

const systemName = (one: KnownInstruction) =>
  one.programAddress === SYSTEM_PROGRAM_ADDRESS ? nameOf(identifySystemInstruction, one) : undefined;
const tokenName = (one: KnownInstruction) =>
  nameOfProgram(one.programAddress) === undefined ? undefined : nameOf(identifyTokenInstruction, one);

export const isAdvance = (one: KnownInstruction): boolean => systemName(one) === SystemInstruction.AdvanceNonceAccount;

/** The name of the first instruction that the service never signs. */
export function refusedIn(instructions: readonly KnownInstruction[]): string | undefined {
  for (const one of instructions) {
    const [system, token] = [systemName(one), tokenName(one)];
    if (system !== undefined && REFUSED_SYSTEM.includes(system)) return SystemInstruction[system];
    if (token !== undefined && REFUSED_TOKEN.includes(token)) return TokenInstruction[token];
  }
  return undefined;
}

/**
 * The effect of one transfer; undefined for anything else. Before the transfer, an instruction may create the token account
 * that receives the tokens.
 */
export function transferIn(instructions: readonly KnownInstruction[]): Effect | undefined {
  const [last, made, ...more] = [...instructions].reverse();
  if (last === undefined || more.length > 0) return undefined;
  if (systemName(last) === SystemInstruction.TransferSol && made === undefined && last.accounts.length === 2) {
    const { accounts, data } = parseTransferSolInstruction({ ...last, accounts: [...last.accounts] });
    return { asset: { kind: 'Native' }, recipient: accounts.destination.address, amountUnits: data.amount };
  }
  const program = nameOfProgram(last.programAddress);
  if (program === undefined || tokenName(last) !== TokenInstruction.TransferChecked || last.accounts.length !== 4)
    return undefined;
  const { accounts, data } = parseTransferCheckedInstruction({ ...last, accounts: [...last.accounts] });
  const recipient = made === undefined ? accounts.destination.address : ownerOf(made, accounts.destination.address);
  if (recipient === undefined) return undefined;
  return { asset: { kind: program, contract: accounts.mint.address }, recipient, amountUnits: data.amount };
}

/** The owner of the token account `account`. Undefined unless the instruction creates this account. */
function ownerOf(one: KnownInstruction, account: string): string | undefined {
  if (one.programAddress !== ASSOCIATED_TOKEN_PROGRAM_ADDRESS) return undefined;
  if (nameOf(identifyAssociatedTokenInstruction, one) === AssociatedTokenInstruction.RecoverNestedAssociatedToken)
    return undefined;
  const [, made, owner] = one.accounts.map(({ address }) => address);
  return made === account && owner !== undefined && isAddress(owner) ? owner : undefined;
}
