import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import { type Atom, encodeAtom, parseAtom } from '../../payloads/typed-data-atoms';
import { assertAsked } from '../signed-body';

const PARAMETERS_MAX = 64;
const WORD = 32;
/** The service accepts at most 16 KiB of call data, and each value takes at least one word. */
const VALUES_MAX = 512;
const TYPE = /^([a-z]+[0-9]*)((?:\[(?:[1-9][0-9]{0,3})?\])*)$/;
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/;

export const WrittenParameter = z.strictObject({
  name: z.string().max(128),
  type: z.string().min(1).max(64),
  internalType: z.string().max(256).optional(),
  get components() {
    return z.array(WrittenParameter).max(PARAMETERS_MAX).optional();
  },
});
export type WrittenParameter = z.infer<typeof WrittenParameter>;

type Member = { readonly label: string; readonly shape: Shape };
/** Values of a dynamic shape follow the static part, which contains their offsets. */
type Shape = { readonly isDynamic: boolean; readonly written: string } & (
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'tuple'; readonly members: readonly Member[] }
  | { readonly kind: 'array'; readonly item: Shape; readonly length: number | undefined }
);

function baseShape(base: string, components: readonly WrittenParameter[]): Shape {
  assertAsked((base === 'tuple') === components.length > 0);
  if (base === 'tuple') {
    const members = membersOf(components);
    const isDynamic = members.some(({ shape }) => shape.isDynamic);
    return { kind: 'tuple', members, isDynamic, written: typesOf(members) };
  }
  const atom = parseAtom(base);
  assertAsked(atom !== undefined);
  return { kind: 'atom', atom, isDynamic: atom.kind === 'string' || atom.kind === 'bytes', written: base };
}

function shapeOf({ type, components = [] }: WrittenParameter): Shape {
  const [, base = '', arrays = ''] = TYPE.exec(type) ?? [];
  return [...arrays.matchAll(/\[(\d*)\]/g)].reduce(
    (item: Shape, [suffix, digits = '']): Shape => {
      const length = digits === '' ? undefined : Number(digits);
      const isDynamic = length === undefined || item.isDynamic;
      return { kind: 'array', item, length, isDynamic, written: `${item.written}${suffix}` };
    },
    baseShape(base, components),
  );
}

/** A parameter without a name has its position as its label. */
function membersOf(parameters: readonly WrittenParameter[]): readonly Member[] {
  const members = parameters.map((parameter, index) => {
    assertAsked(parameter.name === '' || NAME.test(parameter.name));
    return { label: parameter.name === '' ? String(index) : parameter.name, shape: shapeOf(parameter) };
  });
  assertAsked(new Set(members.map(({ label }) => label)).size === members.length);
  return members;
}

const typesOf = (members: readonly Member[]): string => `(${members.map(({ shape }) => shape.written).join()})`;

const word = (value: number): Buffer => Buffer.from(value.toString(16).padStart(2 * WORD, '0'), 'hex');

/** The static parts, followed by the dynamic values in order. */
function inSequence(parts: readonly { readonly isDynamic: boolean; readonly bytes: Buffer }[]): Buffer {
  let behind = parts.reduce((sum, { isDynamic, bytes }) => sum + (isDynamic ? WORD : bytes.length), 0);
  const heads = parts.map(({ isDynamic, bytes }) => {
    if (!isDynamic) return bytes;
    behind += bytes.length;
    return word(behind - bytes.length);
  });
  return Buffer.concat([...heads, ...parts.flatMap(({ isDynamic, bytes }) => (isDynamic ? [bytes] : []))]);
}

function withLength(bytes: Buffer): Buffer {
  const padding = (WORD - (bytes.length % WORD)) % WORD;
  return Buffer.concat([word(bytes.length), bytes, Buffer.alloc(padding)]);
}

function encodeOne(atom: Atom, value: unknown): Buffer {
  // `encodeAtom` checks the value first, and returns a hash for text and for bytes of variable length.
  const isInteger = atom.kind === 'uint' || atom.kind === 'int';
  const plain = isInteger && typeof value === 'string' ? value.replace(/^(-?)0+(?=[0-9])/, '$1') : value;
  const encoded = Buffer.from(encodeAtom(atom, plain));
  if (atom.kind === 'string') return withLength(Buffer.from(String(value), 'utf8'));
  return atom.kind === 'bytes' ? withLength(Buffer.from(String(value).slice(2), 'hex')) : encoded;
}

/** The number of encoded values is limited, because a short body can contain very many values. */
type Count = { values: number };

function encodeShape(shape: Shape, value: unknown, count: Count): Buffer {
  if (shape.kind === 'atom') {
    count.values += 1;
    assertAsked(count.values <= VALUES_MAX);
    return encodeOne(shape.atom, value);
  }
  if (shape.kind === 'tuple') return encodeMembers(shape.members, value, count);
  const { item, length } = shape;
  assertAsked(Array.isArray(value) && (length === undefined || value.length === length) && value.length <= VALUES_MAX);
  const items = inSequence(value.map((one: unknown) => ({ isDynamic: item.isDynamic, bytes: encodeShape(item, one, count) })));
  return length === undefined ? Buffer.concat([word(value.length), items]) : items;
}

function encodeMembers(members: readonly Member[], values: unknown, count: Count): Buffer {
  assertAsked(typeof values === 'object' && values !== null && !Array.isArray(values));
  const given = new Map<string, unknown>(Object.entries(values));
  assertAsked(given.size === members.length && members.every(({ label }) => given.has(label)));
  return inSequence(
    members.map(({ label, shape }) => ({ isDynamic: shape.isDynamic, bytes: encodeShape(shape, given.get(label), count) })),
  );
}

/**
 * The call data of a function by the contract ABI of Solidity, as 0x-hex. `values` contains the arguments, keyed by the labels of
 * the parameters. Throws for arguments that do not fit the parameters.
 */
export function encodeRequestedCall(name: string, inputs: readonly WrittenParameter[], values: unknown): string {
  assertAsked(NAME.test(name));
  const members = membersOf(inputs);
  const selector = keccak_256(Buffer.from(`${name}${typesOf(members)}`, 'utf8')).subarray(0, 4);
  return `0x${Buffer.concat([selector, encodeMembers(members, values, { values: 0 })]).toString('hex')}`;
}
