import { sha256 } from '@noble/hashes/sha2.js';
import { AppError } from '../../domain/errors';
import { fromHex, toHex } from './addresses';

/** Throws a `RangeError` past the end of the bytes. */
class Cursor {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get position(): number {
    return this.at;
  }
  peek(): number {
    return this.view.getUint8(this.at);
  }
  skip(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) throw new RangeError('the bytes end too early');
  }
  count(): number {
    const first = this.view.getUint8(this.at);
    const width = first < 0xfd ? 0 : 2 ** (first - 0xfc);
    this.skip(1 + width);
    if (width === 0) return first;
    if (width === 2) return this.view.getUint16(this.at - 2, true);
    if (width === 4) return this.view.getUint32(this.at - 4, true);
    throw new RangeError('no transaction has so many parts');
  }
}

function withoutWitness(bytes: Uint8Array): Uint8Array {
  const cursor = new Cursor(bytes);
  cursor.skip(4);
  // A count of zero is the marker of BIP144, and a byte of flags follows. The witnesses and Litecoin's extension data come
  // directly before the last four bytes.
  const flagged = cursor.peek() === 0;
  if (flagged) cursor.skip(2);
  const from = cursor.position;
  for (let inputs = cursor.count(); inputs > 0; inputs -= 1) {
    cursor.skip(36);
    cursor.skip(cursor.count());
    cursor.skip(4);
  }
  for (let outputs = cursor.count(); outputs > 0; outputs -= 1) {
    cursor.skip(8);
    cursor.skip(cursor.count());
  }
  const to = cursor.position;
  cursor.skip(4);
  if (!flagged && cursor.position !== bytes.length) throw new RangeError('there are bytes after the transaction');
  return Uint8Array.from([...bytes.subarray(0, 4), ...bytes.subarray(from, to), ...bytes.subarray(bytes.length - 4)]);
}

/**
 * Returns the transaction without its witnesses. These bytes suffice to prove the amounts, because the id is their hash. Throws
 * `EnvelopeMismatch` unless the bytes have this id.
 */
export function parentTransaction(txid: string, rawHex: string | undefined): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = rawHex === undefined ? undefined : withoutWitness(fromHex(rawHex));
  } catch {
    // Unreadable bytes are treated as missing bytes.
  }
  if (bytes && toHex(sha256(sha256(bytes)).reverse()) === txid) return bytes;
  throw new AppError('EnvelopeMismatch', `The node did not return the transaction ${txid}, which created a coin`);
}
