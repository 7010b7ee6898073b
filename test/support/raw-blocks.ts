import { createHash } from 'node:crypto';
import { chunkBytes, countBytes, u32Bytes, u64Bytes } from '../../chains/utxo/decoder-bytes';

export type MadeOutput = { readonly amountUnits: bigint; readonly script: Buffer };
export type MadeTransaction = { readonly txid: string; readonly bytes: Buffer };
type Spent = { readonly txid: string; readonly vout: number };

export const hashTwice = (...parts: readonly Buffer[]): Buffer =>
  createHash('sha256')
    .update(createHash('sha256').update(Buffer.concat(parts)).digest())
    .digest();
const reversed = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse();

/** `flags` are those of BIP144. If the flags ask for witnesses, each input gets one. */
export function makeTransaction(
  inputs: readonly Spent[],
  outputs: readonly MadeOutput[],
  flags = 0,
  script: Buffer = Buffer.alloc(0),
): MadeTransaction {
  const body = Buffer.concat([
    countBytes(inputs.length),
    ...inputs.flatMap(({ txid, vout }) => [reversed(Buffer.from(txid, 'hex')), u32Bytes(vout), chunkBytes(script), u32Bytes(0)]),
    countBytes(outputs.length),
    ...outputs.flatMap(({ amountUnits, script: locking }) => [u64Bytes(amountUnits), chunkBytes(locking)]),
  ]);
  const [version, lockTime] = [u32Bytes(2), u32Bytes(0)];
  const marked = flags === 0 ? Buffer.alloc(0) : Buffer.from([0, flags]);
  const witnesses = (flags & 1) === 0 ? [] : inputs.map(() => Buffer.concat([countBytes(1), chunkBytes(Buffer.alloc(72, 7))]));
  const extension = (flags & 8) === 0 ? Buffer.alloc(0) : Buffer.from([0]);
  return {
    txid: reversed(hashTwice(version, body, lockTime)).toString('hex'),
    bytes: Buffer.concat([version, marked, body, ...witnesses, extension, lockTime]),
  };
}

/** Pays the reward of the block at this height (BIP34). */
export function makeReward(height: number, outputs: readonly MadeOutput[]): MadeTransaction {
  const digits = Buffer.alloc(3);
  digits.writeUIntLE(height, 0, 3);
  return makeTransaction([{ txid: '00'.repeat(32), vout: 0xffff_ffff }], outputs, 0, chunkBytes(digits));
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  const pairs = Array.from({ length: Math.ceil(leaves.length / 2) }, (_, at) => leaves.slice(at * 2, at * 2 + 2));
  return rootOf(pairs.map(([left, right]) => hashTwice(left as Buffer, right ?? (left as Buffer))));
}

/** The easiest target: every second hash meets it. */
export const EASIEST_BITS = 0x207f_ffff;

/** A header with these members. Its hash need not meet its target. */
export const makeHeader = (parent: Buffer, root: Buffer, bits: number, nonce: number): Buffer =>
  Buffer.concat([u32Bytes(0x2000_0000), parent, root, u32Bytes(1_790_000_000), u32Bytes(bits), u32Bytes(nonce)]);

type Made = { readonly parent?: Buffer; readonly work?: (header: Buffer) => Buffer };

/** A block of these transactions with the easiest target. `work` is the hash that has to meet the target. */
export function makeBlock(
  transactions: readonly MadeTransaction[],
  { parent = Buffer.alloc(32, 1), work = (header) => hashTwice(header) }: Made = {},
): Buffer {
  const root = rootOf(transactions.map(({ txid }) => reversed(Buffer.from(txid, 'hex'))));
  for (let nonce = 0; ; nonce += 1) {
    const header = makeHeader(parent, root, EASIEST_BITS, nonce);
    if ((work(header)[31] ?? 0xff) < 0x7f)
      return Buffer.concat([header, countBytes(transactions.length), ...transactions.map(({ bytes }) => bytes)]);
  }
}
