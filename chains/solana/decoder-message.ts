import { base58 } from '@scure/base';

/** An account is undefined if only a lookup table names it. */
export type RawInstruction = {
  readonly program: string;
  readonly accounts: readonly (string | undefined)[];
  readonly data: Buffer;
};
export type RawMessage = {
  readonly version: 'legacy' | 0;
  /** The first signer pays the fee. */
  readonly signers: readonly string[];
  readonly blockhash: string;
  readonly blockhashAt: number;
  readonly instructions: readonly RawInstruction[];
  readonly hasLookups: boolean;
};

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A first byte without this bit begins a legacy message. */
const VERSIONED = 0x80;
/** Version, header, mask, lifetime and two counts come before the accounts (SIMD-0385). */
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
   * Each byte holds seven bits of the count, the lowest bits first. Only the shortest form is read, so that a message has only
   * one encoding.
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

/** Reads a legacy message or version 0. Undefined for other bytes, and for any encoding but the canonical one. */
export function readMessage(bytes: Buffer): RawMessage | undefined {
  try {
    return messageIn(new Cursor(bytes));
  } catch {
    return undefined;
  }
}

/** Undefined if no signatures come before the message. */
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

/** Reads only the head, because the signer never signs version 1. */
function looksLikeVersion1(bytes: Buffer): boolean {
  if (bytes[0] !== VERSIONED + 1 || bytes.length < V1_HEAD_BYTES) return false;
  const [signed = 0, readonlySigned = 0, readonlyUnsigned = 0] = bytes.subarray(1, 4);
  const accounts = bytes[V1_HEAD_BYTES - 1] ?? 0;
  const isPossible = signed > readonlySigned && signed + readonlyUnsigned <= accounts;
  return isPossible && bytes.length >= V1_HEAD_BYTES + accounts * ADDRESS_BYTES;
}

/**
 * True if a validator could accept the bytes as a message, with or without signatures. The signer never signs these bytes as data
 * of a different kind (S12).
 */
export function isMessage(bytes: Buffer): boolean {
  const behind = withoutSignatures(bytes);
  return [bytes, ...(behind ? [behind] : [])].some((one) => readMessage(one) !== undefined || looksLikeVersion1(one));
}
