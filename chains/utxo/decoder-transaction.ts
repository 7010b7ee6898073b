import { sha256 } from '@noble/hashes/sha2.js';
import { ByteReader, chunkBytes, countBytes, Unreadable, u32Bytes, u64Bytes } from './decoder-bytes';

export type TxInput = { readonly txid: string; readonly vout: number; readonly scriptSig: Buffer; readonly sequence: number };
export type TxOutput = { readonly amountUnits: bigint; readonly script: Buffer };
export type DecodedTransaction = {
  readonly version: number;
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly TxOutput[];
  readonly lockTime: number;
};

/** More units than an output can have on any of these chains. */
const AMOUNT_MAX = 2n ** 62n;

export const sha256Twice = (...parts: readonly Uint8Array[]): Buffer => Buffer.from(sha256(sha256(Buffer.concat(parts))));

/** Reads bytes without witnesses. Throws `Unreadable` for any other bytes, and for bytes after the transaction. */
export function decodeUtxoTransaction(bytes: Buffer): DecodedTransaction {
  const reader = new ByteReader(bytes);
  const version = reader.u32();
  const inputs = Array.from({ length: reader.count() }, (): TxInput => {
    const txid = Buffer.from(reader.take(32)).reverse().toString('hex');
    return { txid, vout: reader.u32(), scriptSig: reader.chunk(), sequence: reader.u32() };
  });
  const outputs = Array.from({ length: reader.count() }, (): TxOutput => {
    const amountUnits = reader.u64();
    if (amountUnits > AMOUNT_MAX) throw new Unreadable('an amount is larger than the supply');
    return { amountUnits, script: reader.chunk() };
  });
  const lockTime = reader.u32();
  if (!reader.isAtEnd) throw new Unreadable('there are bytes after the transaction');
  return { version, inputs, outputs, lockTime };
}

/** Reads a transaction as nodes serialise it, and skips the witnesses. */
export function readAnyTransaction(bytes: Buffer): DecodedTransaction {
  const reader = new ByteReader(bytes);
  const version = reader.take(4);
  if (reader.take(1).readUInt8() !== 0) return decodeUtxoTransaction(bytes);
  if (reader.take(1).readUInt8() !== 1) throw new Unreadable('the bytes are not a transaction');
  const inputs = reader.count();
  const parts: Buffer[] = [version, countBytes(inputs)];
  for (let index = 0; index < inputs; index += 1) parts.push(reader.take(36), chunkBytes(reader.chunk()), reader.take(4));
  const outputs = reader.count();
  parts.push(countBytes(outputs));
  for (let index = 0; index < outputs; index += 1) parts.push(reader.take(8), chunkBytes(reader.chunk()));
  for (let index = 0; index < inputs; index += 1) for (let items = reader.count(); items > 0; items -= 1) reader.chunk();
  parts.push(reader.take(4));
  if (!reader.isAtEnd) throw new Unreadable('there are bytes after the transaction');
  return decodeUtxoTransaction(Buffer.concat(parts));
}

export const outpointBytes = ({ txid, vout }: Pick<TxInput, 'txid' | 'vout'>): Buffer =>
  Buffer.concat([Buffer.from(txid, 'hex').reverse(), u32Bytes(vout)]);

export const outputBytes = ({ amountUnits, script }: TxOutput): Buffer =>
  Buffer.concat([u64Bytes(amountUnits), chunkBytes(script)]);

/** Does not write witnesses. `scripts` replace the scripts of the inputs, in the same order. */
export function writeTransaction(
  { version, inputs, outputs, lockTime }: DecodedTransaction,
  scripts: readonly Uint8Array[],
): Buffer {
  return Buffer.concat([
    u32Bytes(version),
    countBytes(inputs.length),
    ...inputs.flatMap((input, at) => [
      outpointBytes(input),
      chunkBytes(scripts[at] ?? Buffer.alloc(0)),
      u32Bytes(input.sequence),
    ]),
    countBytes(outputs.length),
    ...outputs.map(outputBytes),
    u32Bytes(lockTime),
  ]);
}

/** The id in the byte order of nodes. */
export const idOf = (tx: DecodedTransaction): string =>
  sha256Twice(
    writeTransaction(
      tx,
      tx.inputs.map(({ scriptSig }) => scriptSig),
    ),
  )
    .reverse()
    .toString('hex');
