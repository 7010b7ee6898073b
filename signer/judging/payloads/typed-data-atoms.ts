import { keccak_256 } from '@noble/hashes/sha3.js';
import { addr } from 'micro-eth-signer';

/** An EIP-712 type other than a struct or an array. Sizes are in bits for integers and in bytes for `bytesN`. */
export type Atom =
  | { readonly kind: 'string' | 'bytes' | 'bool' | 'address' }
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'fixed'; readonly bytes: number };

const WORD = 32;
const PLAIN = ['string', 'bytes', 'bool', 'address'] as const;

/** Undefined unless EIP-712 defines the type as atomic or dynamic. EIP-712 does not define `uint` or `int` without a size. */
export function parseAtom(type: string): Atom | undefined {
  const plain = PLAIN.find((kind) => kind === type);
  if (plain) return { kind: plain };
  const [, kind, digits] = /^(uint|int|bytes)([1-9][0-9]{0,2})$/.exec(type) ?? [];
  const size = Number(digits);
  if (kind === 'bytes') return size <= WORD ? { kind: 'fixed', bytes: size } : undefined;
  if (kind === 'uint' || kind === 'int') return size % 8 === 0 && size <= 256 ? { kind, bits: size } : undefined;
  return undefined;
}

function bytesOf(value: unknown): Buffer {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw new Error('bytes are 0x and hex');
  return Buffer.from(value.slice(2), 'hex');
}

function integerOf(value: unknown): bigint {
  if (typeof value === 'number') {
    // JSON parsing has rounded a larger number, so the intended value is lost.
    if (!Number.isSafeInteger(value)) throw new Error('a number this large is written as a string');
    return BigInt(value);
  }
  if (typeof value !== 'string' || !/^(?:-?(?:0|[1-9][0-9]{0,77})|0x[0-9a-fA-F]{1,64})$/.test(value)) {
    throw new Error('an integer is decimal, or 0x and hex');
  }
  return BigInt(value);
}

function word(value: bigint): Buffer {
  return Buffer.from(
    BigInt.asUintN(256, value)
      .toString(16)
      .padStart(WORD * 2, '0'),
    'hex',
  );
}

function integerWord(kind: 'uint' | 'int', bits: number, value: unknown): Buffer {
  const integer = integerOf(value);
  const fits = kind === 'uint' ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer);
  if (fits !== integer) throw new Error(`the number does not fit ${kind}${bits}`);
  return word(integer);
}

function addressWord(value: unknown): Buffer {
  // A mixed-case address carries a checksum (EIP-55), and a wrong checksum means a wrong address.
  const isAddress = typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) && addr.isValid(value);
  if (!isAddress) throw new Error('an address is expected');
  return word(BigInt(value));
}

function textHash(value: unknown): Uint8Array {
  // A lone surrogate has no UTF-8 form, so two different texts with lone surrogates would have the same digest.
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) throw new Error('a text is expected');
  return keccak_256(Buffer.from(value, 'utf8'));
}

/**
 * Returns 32 bytes: the value itself, or the hash of a value of variable length. Throws for a value that is not of the type.
 */
export function encodeAtom(atom: Atom, value: unknown): Uint8Array {
  switch (atom.kind) {
    case 'string':
      return textHash(value);
    case 'bytes':
      return keccak_256(bytesOf(value));
    case 'bool':
      if (typeof value !== 'boolean') throw new Error('true or false is expected');
      return word(value ? 1n : 0n);
    case 'address':
      return addressWord(value);
    case 'fixed': {
      const bytes = bytesOf(value);
      if (bytes.length !== atom.bytes) throw new Error(`${atom.bytes} bytes are expected`);
      return Buffer.concat([bytes, Buffer.alloc(WORD - bytes.length)]);
    }
    case 'uint':
    case 'int':
      return integerWord(atom.kind, atom.bits, value);
  }
}
