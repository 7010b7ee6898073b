import { base58 } from '@scure/base';
import type { MintBlocker, MintFee, SolanaAccount, SolanaMint, SolanaNonce, SolanaTokenAccount, SplProgram } from './types';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const PROGRAMS: Readonly<Record<string, SplProgram>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'Spl',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Spl2022',
};

const MINT_BYTES = 82;
const TOKEN_ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
const TYPE_AT = 165;
const [MINT_TYPE, TOKEN_ACCOUNT_TYPE] = [1, 2];
const NONCE_BYTES = 80;
/** Extension numbers of Token-2022 (spl-token-2022, `ExtensionType`). */
const TRANSFER_FEE = 1;
const MEMO_TRANSFER = 8;
const NON_TRANSFERABLE = 9;
const TRANSFER_HOOK = 14;
const PAUSABLE = 26;

/** The older fee (epoch, maximum and rate) follows two authorities and the withheld amount. */
const OLDER_FEE_AT = 72;
const NEWER_FEE_AT = 90;
const TRANSFER_FEE_BYTES = 108;

const keyAt = (data: Uint8Array, at: number): string => base58.encode(data.subarray(at, at + 32));
const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** The extensions follow the base account and its type. Each extension consists of a number, a length and a content. */
function extensionsOf(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  const view = viewOf(data);
  for (let at = TYPE_AT + 1; at + 4 <= data.length; ) {
    const number = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (number === 0) break;
    found.set(number, data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

function isOfType(data: Uint8Array, baseBytes: number, type: number): boolean {
  if (data.length === baseBytes) return true;
  return data.length > TYPE_AT && data.length !== MULTISIG_BYTES && data[TYPE_AT] === type;
}

/** True if further data follows the base account. The data can describe a fee that changes between epochs. */
export const hasExtensions = ({ data }: SolanaAccount): boolean => data.length > TOKEN_ACCOUNT_BYTES;

/** Undefined for an account that is not an initialised mint of either token program. Layout: spl-token `Mint`. */
export function mintIn({ owner, data }: SolanaAccount, epoch: bigint): SolanaMint | undefined {
  const program = PROGRAMS[owner];
  if (program === undefined || !isOfType(data, MINT_BYTES, MINT_TYPE) || data[45] !== 1) return undefined;
  const base = { program, decimals: data[44] ?? 0 };
  if (data.length === MINT_BYTES) return { ...base, blockers: [] };
  const extensions = extensionsOf(data);
  const fee = extensions.get(TRANSFER_FEE);
  return {
    ...base,
    blockers: blockersOf(extensions),
    ...(fee?.length === TRANSFER_FEE_BYTES ? { transferFee: feeIn(fee, epoch) } : {}),
  };
}

/** The older fee applies until the epoch of the newer fee begins (spl-token-2022, `TransferFeeConfig`). */
function feeIn(fee: Uint8Array, epoch: bigint): MintFee {
  const view = viewOf(fee);
  const at = epoch >= view.getBigUint64(NEWER_FEE_AT, true) ? NEWER_FEE_AT : OLDER_FEE_AT;
  return { maximumUnits: view.getBigUint64(at + 8, true), basisPoints: view.getUint16(at + 16, true) };
}

function blockersOf(extensions: ReadonlyMap<number, Uint8Array>): MintBlocker[] {
  const hook = extensions.get(TRANSFER_HOOK)?.subarray(32, 64);
  return [
    ...(extensions.has(NON_TRANSFERABLE) ? ['NonTransferable' as const] : []),
    ...(hook?.some((byte) => byte !== 0) ? ['TransferHook' as const] : []),
    ...(extensions.get(PAUSABLE)?.[32] === 1 ? ['Paused' as const] : []),
  ];
}

/** Undefined unless the account is an initialised token account of either token program. Layout: spl-token `Account`. */
export function tokenAccountIn({ owner, data }: SolanaAccount): SolanaTokenAccount | undefined {
  const program = PROGRAMS[owner];
  if (program === undefined || !isOfType(data, TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_TYPE)) return undefined;
  const state = data[108];
  if (state !== 1 && state !== 2) return undefined;
  const extensions = data.length === TOKEN_ACCOUNT_BYTES ? undefined : extensionsOf(data);
  return {
    program,
    mint: keyAt(data, 0),
    owner: keyAt(data, 32),
    units: viewOf(data).getBigUint64(64, true),
    isFrozen: state === 2,
    needsMemo: extensions?.get(MEMO_TRANSFER)?.[0] === 1,
  };
}

/** Undefined unless the account is an initialised nonce account. Layout: `nonce::state::Versions` of the system program. */
export function nonceIn({ owner, data }: SolanaAccount): SolanaNonce | undefined {
  if (owner !== SYSTEM_PROGRAM || data.length !== NONCE_BYTES) return undefined;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== 1 || view.getUint32(4, true) !== 1) return undefined;
  return { authority: keyAt(data, 8), value: keyAt(data, 40) };
}
