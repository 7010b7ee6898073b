import { createHash } from 'node:crypto';
import { type ByteReader, Unreadable } from '../decoder-bytes';

export type RawInput = { readonly txid: string; readonly vout: number; readonly script: Buffer };
export type RawOutput = { readonly amountUnits: bigint; readonly script: Buffer };
export type RawTransaction = {
  readonly txid: string;
  readonly inputs: readonly RawInput[];
  readonly outputs: readonly RawOutput[];
  /** The witnesses of all inputs. Empty without witnesses. */
  readonly witnesses: Buffer;
  /** All bytes of the transaction, including the witnesses. */
  readonly bytes: Buffer;
};

/** With this bit in the flags after the marker (BIP144), witnesses follow the outputs. */
const WITNESSES = 1;
/** This bit in the same flags marks the transaction that links a block of Litecoin to its extension block (LIP-3). */
const EXTENSION = 8;

const HASH_BYTES = 32;
const SEQUENCE_BYTES = 4;

/** Uses Node's hash function, because the decoder's hash function takes several times as long for a whole block. */
export function hashTwice(...parts: readonly Buffer[]): Buffer {
  const inner = createHash('sha256');
  for (const part of parts) inner.update(part);
  return createHash('sha256').update(inner.digest()).digest();
}

/** Ids and hashes of blocks are written with the last byte first. */
export const reversedHex = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex');

/**
 * Reads a transaction as nodes serialise it. The id is the hash of the bytes without witnesses. Throws `Unreadable` for other
 * bytes.
 */
export function readRawTransaction(reader: ByteReader): RawTransaction {
  const start = reader.position;
  const version = reader.take(4);
  let from = reader.position;
  let inputCount = reader.count();
  let flags = 0;
  if (inputCount === 0) {
    flags = reader.take(1).readUInt8();
    if (flags === 0 || (flags & ~(WITNESSES | EXTENSION)) !== 0) throw new Unreadable('the bytes are not a transaction');
    from = reader.position;
    inputCount = reader.count();
  }
  const inputs: RawInput[] = [];
  while (inputs.length < inputCount) {
    const txid = reversedHex(reader.take(HASH_BYTES));
    const vout = reader.u32();
    const script = reader.chunk();
    reader.take(SEQUENCE_BYTES);
    inputs.push({ txid, vout, script });
  }
  const outputs: RawOutput[] = [];
  for (let left = reader.count(); left > 0; left -= 1) outputs.push({ amountUnits: reader.u64(), script: reader.chunk() });
  const bodyEnd = reader.position;
  if ((flags & WITNESSES) !== 0) skipWitnesses(reader, inputCount);
  const witnesses = reader.between(bodyEnd, reader.position);
  // The extension data of all transactions are in the extension block. Here only a mark of their absence is allowed.
  if ((flags & EXTENSION) !== 0 && reader.take(1).readUInt8() !== 0) throw new Unreadable('a transaction has extension data');
  const txid = reversedHex(hashTwice(version, reader.between(from, bodyEnd), reader.take(4)));
  return { txid, inputs, outputs, witnesses, bytes: reader.between(start, reader.position) };
}

function skipWitnesses(reader: ByteReader, inputs: number): void {
  for (let input = 0; input < inputs; input += 1) for (let items = reader.count(); items > 0; items -= 1) reader.chunk();
}

/** True for the transaction that pays the reward of a block: it does not spend a coin. */
export const paysReward = ({ inputs: [first, ...others] }: RawTransaction): boolean =>
  first?.txid === NO_TRANSACTION && first.vout === NO_OUTPUT && others.length === 0;

const NO_TRANSACTION = '0'.repeat(2 * HASH_BYTES);
const NO_OUTPUT = 0xffff_ffff;
