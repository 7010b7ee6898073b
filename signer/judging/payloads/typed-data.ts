import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import { type Atom, encodeAtom, parseAtom } from './typed-data-atoms';

/** Hashing is quadratic in the number of types, because each type is hashed together with all types that it names. */
const TYPES_MAX = 64;
const FIELDS_MAX = 512;
const DEPTH_MAX = 32;

const Name = z.string().regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/);
const Field = z.strictObject({ name: Name, type: z.string().max(160) });
const TypedData = z.strictObject({
  types: z.record(Name, z.array(Field).max(FIELDS_MAX)),
  primaryType: Name.optional(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
});
type Field = z.infer<typeof Field>;

const DOMAIN = 'EIP712Domain';
/** EIP-712, "Definition of domainSeparator", in this order. */
const DOMAIN_FIELDS: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

type Shape =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'struct'; readonly name: string }
  | { readonly kind: 'array'; readonly item: Shape; readonly length: number | undefined };
type Types = ReadonlyMap<string, readonly Field[]>;

const ARRAY = /^(.+)\[(|[1-9][0-9]{0,5})\]$/;

/** Throws for a type that neither EIP-712 nor the data defines. */
function shapeOf(type: string, types: Types, depth = 0): Shape {
  if (depth > DEPTH_MAX) throw new Error('arrays of arrays too deep');
  const [, item, length] = ARRAY.exec(type) ?? [];
  if (item !== undefined) {
    return { kind: 'array', item: shapeOf(item, types, depth + 1), length: length === '' ? undefined : Number(length) };
  }
  const atom = parseAtom(type);
  if (atom) return { kind: 'atom', atom };
  if (!types.has(type)) throw new Error(`the type ${type} is not defined`);
  return { kind: 'struct', name: type };
}

function structOf(shape: Shape): string | undefined {
  if (shape.kind === 'array') return structOf(shape.item);
  return shape.kind === 'struct' ? shape.name : undefined;
}

const fieldsOf = (types: Types, name: string): readonly Field[] => {
  const fields = types.get(name);
  if (!fields) throw new Error(`the type ${name} is not defined`);
  return fields;
};

/** The type itself and all structs that the type names, directly or not. */
function reach(name: string, types: Types, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { type } of fieldsOf(types, name)) {
    const struct = structOf(shapeOf(type, types));
    if (struct !== undefined) reach(struct, types, found);
  }
  return found;
}

/** EIP-712, "Definition of encodeType". */
function encodeType(name: string, types: Types): string {
  const others = [...reach(name, types)].filter((other) => other !== name).sort();
  const one = (type: string) =>
    `${type}(${fieldsOf(types, type)
      .map((field) => `${field.type} ${field.name}`)
      .join(',')})`;
  return [name, ...others].map(one).join('');
}

/** EIP-712, "Definition of encodeData" and "Definition of hashStruct". Throws for a missing or an extra member. */
function createHasher(types: Types) {
  const typeHashes = new Map<string, Uint8Array>();
  const typeHash = (name: string): Uint8Array => {
    const known = typeHashes.get(name) ?? keccak_256(Buffer.from(encodeType(name, types)));
    typeHashes.set(name, known);
    return known;
  };
  const encodeValue = (shape: Shape, value: unknown, depth: number): Uint8Array => {
    if (depth > DEPTH_MAX) throw new Error('the message is too deep');
    if (shape.kind === 'atom') return encodeAtom(shape.atom, value);
    if (shape.kind === 'struct') return hashStruct(shape.name, value, depth + 1);
    if (!Array.isArray(value)) throw new Error('an array is expected');
    if (shape.length !== undefined && value.length !== shape.length) throw new Error('the array has the wrong length');
    const { item } = shape;
    return keccak_256(Buffer.concat(value.map((element: unknown) => encodeValue(item, element, depth + 1))));
  };
  const hashStruct = (name: string, value: unknown, depth = 0): Uint8Array => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('an object is expected');
    const members = new Map<string, unknown>(Object.entries(value));
    const fields = fieldsOf(types, name);
    if (members.size !== fields.length) throw new Error(`the members of ${name} differ from those of its type`);
    const parts = fields.map((field) => {
      if (!members.has(field.name)) throw new Error(`${name} has no ${field.name}`);
      return encodeValue(shapeOf(field.type, types), members.get(field.name), depth);
    });
    return keccak_256(Buffer.concat([typeHash(name), ...parts]));
  };
  return hashStruct;
}

/**
 * Returns the one type that no other type names, and throws unless there is exactly one. Used if the caller omits
 * `primaryType`.
 */
function rootOf(types: Types): string {
  const named = new Set<string>();
  for (const [name, fields] of types) {
    for (const { type } of fields) {
      const struct = structOf(shapeOf(type, types));
      if (struct !== undefined && struct !== name) named.add(struct);
    }
  }
  const roots = [...types.keys()].filter((name) => name !== DOMAIN && !named.has(name));
  const [root] = roots;
  if (root === undefined || roots.length !== 1) throw new Error('the primary type cannot be inferred from the types');
  return root;
}

/** Without `given`, there is one field for each member of `domain`. EIP-712 allows only five fields. */
function domainFields(given: readonly Field[] | undefined, domain: Readonly<Record<string, unknown>>): readonly Field[] {
  const members = Object.keys(domain);
  const fields = given ?? DOMAIN_FIELDS.filter(({ name }) => members.includes(name));
  for (const { name, type } of fields) {
    if (!DOMAIN_FIELDS.some((known) => known.name === name && known.type === type)) throw new Error(`a domain has no ${name}`);
  }
  return fields;
}

function typesOf(given: Readonly<Record<string, readonly Field[]>>, domain: Readonly<Record<string, unknown>>): Types {
  const types = new Map(Object.entries(given));
  types.set(DOMAIN, domainFields(types.get(DOMAIN), domain));
  if (types.size > TYPES_MAX) throw new Error('too many types');
  let count = 0;
  for (const [name, fields] of types) {
    if (parseAtom(name)) throw new Error(`${name} is a type already`);
    if (new Set(fields.map((field) => field.name)).size !== fields.length) throw new Error(`${name} has a field twice`);
    for (const { type } of fields) shapeOf(type, types);
    count += fields.length;
  }
  if (count > FIELDS_MAX) throw new Error('too many fields');
  return types;
}

const ChainId = z.union([
  z.int().nonnegative(),
  z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/),
  z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
]);

export type TypedDataDigest = { readonly digest: Uint8Array; readonly chainId: bigint | undefined };

/**
 * Only the signer uses this function, because the signer must not share hashing code with the rest of the service. Throws for
 * data that does not fit its types exactly.
 */
export function hashTypedData(text: string): TypedDataDigest {
  const { types: given, primaryType, domain, message } = TypedData.parse(JSON.parse(text));
  const types = typesOf(given, domain);
  const hashStruct = createHasher(types);
  const root = primaryType ?? rootOf(types);
  if (root === DOMAIN) throw new Error('a domain without a message cannot be signed');
  const digest = keccak_256(Buffer.concat([Buffer.of(0x19, 0x01), hashStruct(DOMAIN, domain), hashStruct(root, message)]));
  const { chainId } = domain;
  return { digest, chainId: chainId === undefined ? undefined : BigInt(ChainId.parse(chainId)) };
}
