import { base58 } from '@scure/base';
import vectors from './vectors.json';

export const SYSTEM = '11111111111111111111111111111111';
/** An account, given by its address or by its place in a lookup table. */
export type Account = string | { readonly lookedUp: number };
type Instruction = { readonly program: string; readonly data: string; readonly accounts: readonly Account[] };

const count = (value: number): Buffer => (value < 0x80 ? Buffer.of(value) : Buffer.of((value & 0x7f) | 0x80, value >> 7));
const addressBytes = (address: string): Buffer => Buffer.from(base58.decode(address));

/** Builds a message byte by byte from the network's documentation, without the product's code. All accounts are writable. */
export function messageOf({
  version = 'legacy',
  signers,
  instructions,
  blockhash = vectors.blockhash,
  lookups = 0,
}: {
  readonly version?: 'legacy' | 0;
  /** The first signer pays the fee. */
  readonly signers: readonly string[];
  readonly instructions: readonly Instruction[];
  readonly blockhash?: string;
  readonly lookups?: number;
}): Buffer {
  const named = instructions.flatMap(({ program, accounts }) => [program, ...accounts.filter((one) => typeof one === 'string')]);
  const accounts = [...new Set([...signers, ...named])];
  const placeOf = (account: Account) =>
    typeof account === 'string' ? accounts.indexOf(account) : accounts.length + account.lookedUp;
  const compiled = instructions.map(({ program, accounts: taken, data }) => {
    const bytes = Buffer.from(data, 'hex');
    const places = Buffer.from(taken.map(placeOf));
    return Buffer.concat([Buffer.of(placeOf(program)), count(places.length), places, count(bytes.length), bytes]);
  });
  const table = Buffer.concat([addressBytes(vectors.mint), count(lookups), Buffer.alloc(lookups), count(0)]);
  return Buffer.concat([
    version === 0 ? Buffer.of(0x80) : Buffer.alloc(0),
    Buffer.of(signers.length, 0, 0),
    count(accounts.length),
    ...accounts.map(addressBytes),
    addressBytes(blockhash),
    count(compiled.length),
    ...compiled,
    ...(version === 0 ? [count(lookups > 0 ? 1 : 0), ...(lookups > 0 ? [table] : [])] : []),
  ]);
}

/** The signatures and then the message. Zeros stand for missing signatures. */
export const wireOf = (message: Buffer, signatures: readonly (Uint8Array | null)[]): Buffer =>
  Buffer.concat([count(signatures.length), ...signatures.map((one) => one ?? Buffer.alloc(64)), message]);
