import { getAddress } from 'viem';
import type { JsonValue } from '../../types';

/** A parameter of an event, in the JSON format in which Solidity compilers write an interface. */
export type Parameter = {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly indexed?: unknown;
  readonly components?: unknown;
};

/** Decodes one word of the data. Undefined if the word does not encode a value of the type. */
type Elementary = (word: string) => JsonValue | undefined;
export type AbiType = {
  /** The type as it is written in the signature of an event. */
  readonly canonical: string;
  /** The number of words that the value takes, or that the pointer to a value of variable length takes. */
  readonly words: number;
} & (
  | { readonly kind: 'Word'; readonly isAddress: boolean; readonly read: Elementary }
  | { readonly kind: 'Bytes'; readonly isText: boolean }
  | { readonly kind: 'Array'; readonly item: AbiType; readonly length: number | undefined; readonly isDynamic: boolean }
  | { readonly kind: 'Tuple'; readonly items: readonly AbiType[]; readonly names: readonly string[]; readonly isDynamic: boolean }
);

const WORD_HEX = 64;
const WORD_BYTES = 32;
const BITS_PER_BYTE = 8;
const WORD_BITS = 256;
const ADDRESS_ZEROS = '0'.repeat(24);
const FUNCTION_BYTES = 24;
/** Postgres cannot store a text with this character. */
const NUL = /\0/g;
const REPLACEMENT = '\uFFFD';

const word = (canonical: string, read: Elementary, isAddress = false): AbiType => ({
  ...{ kind: 'Word', canonical, words: 1, isAddress, read },
});

function integer(canonical: string, isSigned: boolean, bits: number): AbiType | undefined {
  if (bits < BITS_PER_BYTE || bits > WORD_BITS || bits % BITS_PER_BYTE !== 0) return undefined;
  return word(canonical, (hex) => {
    const units = BigInt(`0x${hex}`);
    const value = isSigned ? BigInt.asIntN(bits, units) : BigInt.asUintN(bits, units);
    return BigInt.asUintN(WORD_BITS, value) === units ? value.toString() : undefined;
  });
}

const leftBytes = (canonical: string, bytes: number): AbiType =>
  word(canonical, (hex) => (/^0*$/.test(hex.slice(bytes * 2)) ? `0x${hex.slice(0, bytes * 2)}` : undefined));

const ADDRESS = word('address', (hex) => (hex.startsWith(ADDRESS_ZEROS) ? getAddress(`0x${hex.slice(24)}`) : undefined), true);
const BOOL = word('bool', (hex) => (/^0{63}[01]$/.test(hex) ? hex.endsWith('1') : undefined));

function elementary(type: string): AbiType | undefined {
  if (type === 'address') return ADDRESS;
  if (type === 'bool') return BOOL;
  if (type === 'function') return leftBytes(type, FUNCTION_BYTES);
  if (type === 'bytes' || type === 'string') return { kind: 'Bytes', canonical: type, words: 1, isText: type === 'string' };
  const [, sign, digits = String(WORD_BITS)] = /^(u?)int(\d*)$/.exec(type) ?? [];
  if (sign !== undefined) {
    const bits = Number(digits === '' ? WORD_BITS : digits);
    return integer(`${sign}int${bits}`, sign === '', bits);
  }
  const bytes = Number(/^bytes(\d{1,2})$/.exec(type)?.[1]);
  return bytes >= 1 && bytes <= WORD_BYTES ? leftBytes(type, bytes) : undefined;
}

export const isDynamic = (type: AbiType): boolean => type.kind === 'Bytes' || ('isDynamic' in type && type.isDynamic);

/**
 * Undefined for a type that no log can have, and for a type whose values take no bytes, because an array of such values could
 * have any length.
 */
function typeOf({ type, components }: Parameter): AbiType | undefined {
  if (typeof type !== 'string') return undefined;
  const [, inner, digits] = /^(.+)\[(\d*)\]$/.exec(type) ?? [];
  if (inner !== undefined) {
    const item = typeOf({ type: inner, components });
    const length = digits === '' ? undefined : Number(digits);
    if (!item || length === 0) return undefined;
    const isVariable = length === undefined || isDynamic(item);
    return {
      ...{ kind: 'Array', canonical: `${item.canonical}[${length ?? ''}]`, item, length },
      ...{ words: isVariable ? 1 : length * item.words, isDynamic: isVariable },
    };
  }
  if (type !== 'tuple') return elementary(type);
  const members = Array.isArray(components) ? (components as readonly Parameter[]) : [];
  const items = typesOf(members);
  if (!items || items.length === 0) return undefined;
  const isVariable = items.some(isDynamic);
  return {
    ...{ kind: 'Tuple', canonical: `(${items.map(({ canonical }) => canonical).join(',')})`, items, names: namesOf(members) },
    ...{ words: isVariable ? 1 : items.reduce((sum, { words }) => sum + words, 0), isDynamic: isVariable },
  };
}

export function typesOf(parameters: readonly Parameter[]): readonly AbiType[] | undefined {
  const types = parameters.map(typeOf);
  return types.every((type) => type !== undefined) ? types : undefined;
}

/** A parameter without a name, or with the name of an earlier parameter, is named after its position. */
export function namesOf(parameters: readonly Parameter[]): readonly string[] {
  const given = parameters.map(({ name }) => (typeof name === 'string' ? name : ''));
  return given.map((name, at) => (name === '' || given.indexOf(name) !== at ? String(at) : name));
}

export const named = (names: readonly string[], values: readonly JsonValue[]): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] as JsonValue]));

/** Thrown if the data does not match the types. */
class Misfit extends Error {}

/**
 * Decodes the members of data in the encoding of the contract ABI. Undefined if the data does not match the types. Also undefined
 * if two pointers lead to the same bytes, because a few bytes could then decode to values that fill the memory. `onAddress`
 * receives each address.
 */
export function decoded(
  types: readonly AbiType[],
  dataHex: string,
  onAddress: (address: string) => void,
): JsonValue[] | undefined {
  const hex = dataHex.slice(2).toLowerCase();
  let left = Math.ceil(hex.length / WORD_HEX);
  const take = (words: number): void => {
    left -= words;
    if (left < 0) throw new Misfit();
  };
  const wordAt = (at: number): string => {
    take(1);
    const text = hex.slice(at * 2, at * 2 + WORD_HEX);
    if (text.length < WORD_HEX) throw new Misfit();
    return text;
  };
  const numberAt = (at: number): number => {
    const value = BigInt(`0x${wordAt(at)}`);
    if (value > BigInt(hex.length)) throw new Misfit();
    return Number(value);
  };

  function members(list: Iterable<AbiType>, base: number): JsonValue[] {
    const values: JsonValue[] = [];
    let at = base;
    for (const type of list) {
      values.push(isDynamic(type) ? valueAt(type, base + numberAt(at)) : valueAt(type, at));
      at += (isDynamic(type) ? 1 : type.words) * WORD_BYTES;
    }
    return values;
  }

  function bytesAt(at: number, isText: boolean): string {
    const bytes = numberAt(at);
    take(Math.ceil(bytes / WORD_BYTES));
    const start = (at + WORD_BYTES) * 2;
    const text = hex.slice(start, start + bytes * 2);
    if (text.length < bytes * 2) throw new Misfit();
    return isText ? Buffer.from(text, 'hex').toString('utf8').replace(NUL, REPLACEMENT) : `0x${text}`;
  }

  function valueAt(type: AbiType, at: number): JsonValue {
    if (type.kind === 'Tuple') return named(type.names, members(type.items, at));
    if (type.kind === 'Bytes') return bytesAt(at, type.isText);
    if (type.kind === 'Array') {
      const { item, length } = type;
      return length === undefined ? members(repeated(item, numberAt(at)), at + WORD_BYTES) : members(repeated(item, length), at);
    }
    const value = type.read(wordAt(at));
    if (value === undefined) throw new Misfit();
    if (type.isAddress) onAddress(value as string);
    return value;
  }

  try {
    return members(types, 0);
  } catch (error) {
    if (error instanceof Misfit) return undefined;
    throw error;
  }
}

function* repeated(item: AbiType, count: number): Generator<AbiType> {
  for (let at = 0; at < count; at += 1) yield item;
}
