import { base58 } from '@scure/base';

/** One instruction with its accounts by address; an account that only a lookup table names is undefined. */
export type RawInstruction = {
  readonly program: string;
  readonly accounts: readonly (string | undefined)[];
  readonly data: Buffer;
};
export type RawMessage = {
  readonly version: 'legacy' | 0;
  /** The accounts that must sign. The first signer pays the fee. */
  readonly signers: readonly string[];
  readonly blockhash: string;
  /** The offset of the blockhash's 32 bytes. */
  readonly blockhashAt: number;
  readonly instructions: readonly RawInstruction[];
  readonly hasLookups: boolean;
};

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A first byte with this bit names a version. A message whose first byte lacks this bit is a legacy message. */
const VERSIONED = 0x80;
/**
 * The length of the head of a version 1 message before its accounts: version, header, mask, lifetime and two counts
 * (SIMD-0385).
 */
const V1_HEAD_BYTES = 1 + 3 + 4 + 32 + 1 + 1;

class Cursor {
  #at = 0;
  constructor(readonly bytes: Buffer) {}

  get place(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  take(count: number): Buffer {
    if (this.#at + count > this.bytes.length) throw new RangeError('the bytes end too early');
    this.#at += count;
    return this.bytes.subarray(this.#at - count, this.#at);
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  /**
   * Reads a count with seven bits in each byte, the lowest bits first. Only the shortest form is read, so that a message has
   * only one encoding.
   */
  count(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if (byte >= VERSIONED) continue;
      if ((byte === 0 && index > 0) || value > 0xffff) throw new RangeError('the count is not in its shortest form');
      return value;
    }
    throw new RangeError('the count is too long');
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.count() }, read);
  }
}

const addressIn = (cursor: Cursor) => base58.encode(cursor.take(ADDRESS_BYTES));

function messageIn(cursor: Cursor): RawMessage {
  let first = cursor.byte();
  const version = first >= VERSIONED ? 0 : 'legacy';
  if (version === 0) {
    if (first !== VERSIONED) throw new RangeError('the version is not known');
    first = cursor.byte();
  }
  const [signed, readonlySigned, readonlyUnsigned] = [first, cursor.byte(), cursor.byte()];
  const addresses = cursor.list(() => addressIn(cursor));
  if (readonlySigned >= signed || signed + readonlyUnsigned > addresses.length) throw new RangeError('the header is invalid');
  const blockhashAt = cursor.place;
  const blockhash = addressIn(cursor);
  const instructions = cursor.list(() => {
    const program = addresses[cursor.byte()];
    if (program === undefined) throw new RangeError('there is no program at this index');
    const accounts = [...cursor.take(cursor.count())].map((index) => addresses[index]);
    return { program, accounts, data: cursor.take(cursor.count()) };
  });
  const lookups =
    version === 0
      ? cursor.list(() => [cursor.take(ADDRESS_BYTES), cursor.take(cursor.count()), cursor.take(cursor.count())])
      : [];
  if (!cursor.isAtEnd) throw new RangeError('bytes follow the message');
  return { version, signers: addresses.slice(0, signed), blockhash, blockhashAt, instructions, hasLookups: lookups.length > 0 };
}

/** Reads a legacy message or a message of version 0. Undefined for other bytes, and for any encoding but the canonical one. */
export function readMessage(bytes: Buffer): RawMessage | undefined {
  try {
    return messageIn(new Cursor(bytes));
  } catch {
    return undefined;
  }
}

/** The message after its signatures; undefined if there are no signatures before the message. */
function withoutSignatures(bytes: Buffer): Buffer | undefined {
  try {
    const cursor = new Cursor(bytes);
    const length = cursor.count() * SIGNATURE_BYTES;
    cursor.take(length);
    return length === 0 ? undefined : bytes.subarray(length + 1);
  } catch {
    return undefined;
  }
}

/** Recognises a message of version 1 by its head. The rest is not read, because the signer never signs this version. */
function looksLikeVersion1(bytes: Buffer): boolean {
  if (bytes[0] !== VERSIONED + 1 || bytes.length < V1_HEAD_BYTES) return false;
  const [signed = 0, readonlySigned = 0, readonlyUnsigned = 0] = bytes.subarray(1, 4);
  const accounts = bytes[V1_HEAD_BYTES - 1] ?? 0;
  const isPossible = signed > readonlySigned && signed + readonlyUnsigned <= accounts;
  return isPossible && bytes.length >= V1_HEAD_BYTES + accounts * ADDRESS_BYTES;
}

/**
 * Tells whether a validator would accept the bytes as a message, with or without signatures before the message. Such bytes are
 * never signed as data of another kind (S12).
 */
export function isMessage(bytes: Buffer): boolean {
  const behind = withoutSignatures(bytes);
  return [bytes, ...(behind ? [behind] : [])].some((one) => readMessage(one) !== undefined || looksLikeVersion1(one));
}
