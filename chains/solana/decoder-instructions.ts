import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { RawInstruction } from './decoder-message';
import type { SolanaInstruction, SplProgram } from './types';

const SYSTEM = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';
const RENT = 'SysvarRent111111111111111111111111111111111';
const TOKEN_PROGRAMS: Readonly<Record<SplProgram, string>> = {
  Spl: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  Spl2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
};

/** These instructions change the owner or authority of an account, or withdraw from a nonce account. */
const REFUSED_SYSTEM: Readonly<Record<number, string>> = {
  1: 'System Assign',
  5: 'System WithdrawNonceAccount',
  7: 'System AuthorizeNonceAccount',
  10: 'System AssignWithSeed',
};
/**
 * These instructions give others power over tokens, change an authority, close an account, destroy tokens or contain further
 * instructions.
 */
const REFUSED_TOKEN: Readonly<Record<number, string>> = {
  4: 'Token Approve',
  6: 'Token SetAuthority',
  8: 'Token Burn',
  9: 'Token CloseAccount',
  13: 'Token ApproveChecked',
  15: 'Token BurnChecked',
  255: 'Token Batch',
};
const TRANSFER_CHECKED = 12;
/** The transfer fee extension (Token-2022) and its instruction `TransferCheckedWithFee`. */
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
const BUMP_MAX = 255;

const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** ZIP 215, which Solana's runtime follows, accepts more encodings of points than the strict rules do. */
function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/**
 * The associated token program tries the bump from 255 downwards, and takes the first address that is off the curve. No key for
 * such an address can exist.
 */
export function associatedTokenAddress(owner: string, mint: string, program: SplProgram): string {
  const seeds = [owner, TOKEN_PROGRAMS[program], mint].map((address) => base58.decode(address));
  for (let bump = BUMP_MAX; bump >= 0; bump -= 1) {
    const end = [Uint8Array.of(bump), base58.decode(ASSOCIATED_TOKEN), Buffer.from('ProgramDerivedAddress')];
    const candidate = sha256(...seeds, ...end);
    if (!isOnCurve(candidate)) return base58.encode(candidate);
  }
  throw new Error('no associated token account can be derived');
}

type Read = (instruction: RawInstruction) => SolanaInstruction | undefined;

/** Undefined unless the instruction has exactly `count` accounts and no account comes from a lookup table. */
function accountsOf({ accounts }: RawInstruction, count: number): readonly string[] | undefined {
  const known = accounts.filter((account) => account !== undefined);
  return known.length === count && accounts.length === count ? known : undefined;
}

const readSystem: Read = (instruction) => {
  const { data, accounts } = instruction;
  if (data.length < 4) return undefined;
  const tag = data.readUInt32LE();
  const refused = REFUSED_SYSTEM[tag];
  if (refused !== undefined) return { kind: 'Refused', name: refused };
  if (tag === 2 && data.length === 12) {
    const [from, to] = accountsOf(instruction, 2) ?? [];
    return from && to ? { kind: 'Transfer', from, to, lamports: data.readBigUInt64LE(4) } : undefined;
  }
  if (tag === 3) return readCreateWithSeed(data, accounts);
  const [account, blockhashes, third] = accountsOf(instruction, 3) ?? [];
  const isOfNonce = account && blockhashes === RECENT_BLOCKHASHES && third;
  // In any other form the network would advance a nonce that the service has not claimed.
  if (tag === 4 && !(isOfNonce && data.length === 4)) return { kind: 'Refused', name: 'System AdvanceNonceAccount' };
  if (!isOfNonce) return undefined;
  if (tag === 4) return { kind: 'AdvanceNonce', account, authority: third };
  if (tag === 6 && data.length === 36 && third === RENT)
    return { kind: 'InitializeNonce', account, authority: base58.encode(data.subarray(4)) };
  return undefined;
};

/** The data consists of the tag, the base, the length of the seed in 8 bytes, the seed, the lamports, the space and the owner. */
function readCreateWithSeed(data: Buffer, accounts: RawInstruction['accounts']): SolanaInstruction | undefined {
  const [payer, account, third] = accounts;
  if (!payer || !account || accounts.length > 3 || data.length < 44) return undefined;
  const base = base58.encode(data.subarray(4, 36));
  const seedLength = data.readBigUInt64LE(36);
  if (seedLength > 32n || data.length !== 44 + Number(seedLength) + 48 || (third ?? payer) !== base) return undefined;
  const seedBytes = data.subarray(44, 44 + Number(seedLength));
  const rest = data.subarray(44 + Number(seedLength));
  const owner = rest.subarray(16);
  if (base58.encode(sha256(base58.decode(base), seedBytes, owner)) !== account) return undefined;
  return {
    kind: 'CreateAccountWithSeed',
    payer,
    account,
    base,
    seed: seedBytes.toString('utf8'),
    lamports: rest.readBigUInt64LE(0),
    space: rest.readBigUInt64LE(8),
    owner: base58.encode(owner),
  };
}

const readComputeBudget: Read = ({ data }) => {
  if (data[0] === 2 && data.length === 5) return { kind: 'ComputeUnitLimit', units: data.readUInt32LE(1) };
  if (data[0] === 3 && data.length === 9) return { kind: 'ComputeUnitPrice', microLamports: data.readBigUInt64LE(1) };
  return undefined;
};

/** Reads only memos in UTF-8 that do not name an account. The program itself refuses any other encoding. */
const readMemo: Read = ({ data, accounts }) => {
  const text = data.toString('utf8');
  return accounts.length === 0 && Buffer.from(text, 'utf8').equals(data) ? { kind: 'Memo', text } : undefined;
};

const programOf = (address: string | undefined): SplProgram | undefined =>
  (['Spl', 'Spl2022'] as const).find((name) => TOKEN_PROGRAMS[name] === address);

const readAssociated: Read = (instruction) => {
  const { data } = instruction;
  const isCreate = data.length === 0 || (data.length === 1 && (data[0] === 0 || data[0] === 1));
  const [payer, account, owner, mint, system, tokenProgram] = accountsOf(instruction, 6) ?? [];
  const program = programOf(tokenProgram);
  if (!isCreate || !payer || !account || !owner || !mint || system !== SYSTEM || !program) return undefined;
  if (associatedTokenAddress(owner, mint, program) !== account) return undefined;
  return { kind: 'CreateTokenAccount', program, payer, account, owner, mint };
};

function readToken(program: SplProgram, instruction: RawInstruction): SolanaInstruction | undefined {
  const { data } = instruction;
  const [tag = -1, second] = data;
  const refused = REFUSED_TOKEN[tag];
  if (refused !== undefined) return { kind: 'Refused', name: refused };
  const isPlain = tag === TRANSFER_CHECKED && data.length === 10;
  const hasFee =
    program === 'Spl2022' && tag === TRANSFER_FEE_EXTENSION && second === TRANSFER_CHECKED_WITH_FEE && data.length === 19;
  // If there are more than four accounts, several owners sign, or a program that the mint names takes part.
  const [source, mint, destination, authority] = accountsOf(instruction, 4) ?? [];
  if (!(isPlain || hasFee) || !source || !mint || !destination || !authority) return undefined;
  const at = isPlain ? 1 : 2;
  const [amountUnits, decimals] = [data.readBigUInt64LE(at), data.readUInt8(at + 8)];
  return { kind: 'TokenTransfer', program, source, mint, destination, authority, amountUnits, decimals };
}

const READERS: Readonly<Record<string, Read>> = {
  [SYSTEM]: readSystem,
  [COMPUTE_BUDGET]: readComputeBudget,
  [MEMO]: readMemo,
  [ASSOCIATED_TOKEN]: readAssociated,
  [TOKEN_PROGRAMS.Spl]: (instruction) => readToken('Spl', instruction),
  [TOKEN_PROGRAMS.Spl2022]: (instruction) => readToken('Spl2022', instruction),
};

/** `Unknown` unless the instruction exactly matches a form that this file reads. */
export function readInstruction(instruction: RawInstruction): SolanaInstruction {
  const read = Object.hasOwn(READERS, instruction.program) ? READERS[instruction.program]?.(instruction) : undefined;
  return read ?? { kind: 'Unknown', program: instruction.program };
}
