import { base58 } from '@scure/base';
import type { MintHindrance, SolanaAccount, SolanaMint, SolanaNonce, SolanaTokenAccount, SplProgram } from './types';

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
/** Numbers of the extensions of Token-2022 (spl-token-2022, `ExtensionType`). */
const MEMO_TRANSFER = 8;
const NON_TRANSFERABLE = 9;
const TRANSFER_HOOK = 14;
const PAUSABLE = 26;

const keyAt = (data: Uint8Array, at: number): string => base58.encode(data.subarray(at, at + 32));
const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** Extensions stand behind the base account and its type: number, length, content. */
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

/** Undefined for what is no mint of either token program. Layout: spl-token `Mint`. */
export function mintIn({ owner, data }: SolanaAccount): SolanaMint | undefined {
  const program = PROGRAMS[owner];
  if (program === undefined || !isOfType(data, MINT_BYTES, MINT_TYPE) || data[45] !== 1) return undefined;
  return { program, decimals: data[44] ?? 0, hindrances: data.length === MINT_BYTES ? [] : hindrancesOf(extensionsOf(data)) };
}

function hindrancesOf(extensions: ReadonlyMap<number, Uint8Array>): MintHindrance[] {
  const hook = extensions.get(TRANSFER_HOOK)?.subarray(32, 64);
  return [
    ...(extensions.has(NON_TRANSFERABLE) ? ['NonTransferable' as const] : []),
    ...(hook?.some((byte) => byte !== 0) ? ['TransferHook' as const] : []),
    ...(extensions.get(PAUSABLE)?.[32] === 1 ? ['Paused' as const] : []),
  ];
}

/** Undefined for what is no account that holds tokens. Layout: spl-token `Account`. */
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

/** Undefined for what is no nonce account that is ready. Layout: `nonce::state::Versions` of the system program. */
export function nonceIn({ owner, data }: SolanaAccount): SolanaNonce | undefined {
  if (owner !== SYSTEM_PROGRAM || data.length !== NONCE_BYTES) return undefined;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== 1 || view.getUint32(4, true) !== 1) return undefined;
  return { authority: keyAt(data, 8), value: keyAt(data, 40) };
}
