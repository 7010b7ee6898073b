import { fromRlp, hashTypedData, numberToHex, parseTransaction, toRlp } from 'viem/utils';
import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { asHex } from './call';
import { parseAddress } from './signatures';
import type { Signature } from './types';
import { OWN_TYPES } from './variants/own-types';

type Field = { readonly name: string; readonly type: string };
type TypedDataInput = {
  readonly types: Readonly<Record<string, readonly Field[]>>;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
};
type Fault = (member: keyof TypedDataInput, message: string) => AppError;

const DOMAIN = 'EIP712Domain';
/** The members are in the order of EIP-712. The type of a domain lists only the members that the domain has. */
const DOMAIN_FIELDS: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];
const ARRAYS = /(?:\[\d*\])+$/;
const LEVELS_MAX = 32;

/** The only type to which no other type refers. Requests do not name their primary type. */
function primaryTypeOf(types: TypedDataInput['types'], fault: Fault): string {
  const used = new Set<string>();
  for (const [name, fields] of Object.entries(types)) {
    for (const type of fields.map((field) => field.type.replace(ARRAYS, ''))) if (type !== name) used.add(type);
  }
  const roots = Object.keys(types).filter((name) => name !== DOMAIN && !used.has(name));
  const [root] = roots;
  if (root === undefined || roots.length > 1) throw fault('types', 'must have one type that no other type refers to');
  return root;
}

type Place = { readonly at: string; readonly level: number };

/**
 * Throws for a list or object that does not match its type: a member outside the type would be displayed, but not hashed and
 * signed. Also throws for a number that JSON may have rounded.
 */
function assertMembers(types: TypedDataInput['types'], type: string, value: unknown, { at, level }: Place, fault: Fault): void {
  if (level > LEVELS_MAX) throw fault('message', 'is nested too deeply');
  if (ARRAYS.test(type)) {
    if (!Array.isArray(value)) throw fault('message', `${at} must be a list`);
    const inner = type.replace(/\[\d*\]$/, '');
    value.forEach((item, index) => {
      assertMembers(types, inner, item, { at: `${at}.${index}`, level: level + 1 }, fault);
    });
    return;
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw fault('message', `${at} must be a whole number, or text`);
  const fields = types[type];
  if (!fields) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault('message', `${at} must be an object`);
  const stranger = Object.keys(value).find((name) => !fields.some((field) => field.name === name));
  if (stranger !== undefined) throw fault('message', `${at}.${stranger} is not in its type`);
  for (const field of fields) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[field.name];
    if (member === undefined || member === null) throw fault('message', `${at}.${field.name} is missing`);
    assertMembers(types, field.type, member, { at: `${at}.${field.name}`, level: level + 1 }, fault);
  }
}

/**
 * Adds the primary type and the domain type to typed data (EIP-712). Returns JSON text. Throws `InvalidRequest` with the path
 * of the faulty member for data that cannot be hashed, and for members that the hash would leave out.
 */
export function completeTypedData({ types, domain, message }: TypedDataInput, at: string): string {
  const fault: Fault = (member, text) => {
    const path = `${at}.${member}`;
    return fieldFault(path, text);
  };
  const primaryType = primaryTypeOf(types, fault);
  const domainFields = DOMAIN_FIELDS.filter(({ name }) => domain[name] !== undefined);
  const given = types[DOMAIN];
  const names = (fields: readonly Field[]) => fields.map(({ name, type }) => `${type} ${name}`).join();
  if (given && names(given) !== names(domainFields)) throw fault('types', 'describes a different domain from the one given');
  assertMembers(types, primaryType, message, { at: 'message', level: 0 }, fault);
  const complete = { types: { ...types, [DOMAIN]: domainFields }, primaryType, domain, message };
  try {
    hashTypedData(complete as Parameters<typeof hashTypedData>[0]);
  } catch (error) {
    throw fault('message', `cannot be hashed: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`);
  }
  return JSON.stringify(complete);
}

/**
 * The chain id in a transaction of a network's own type: the first of at least ten members. Undefined for other bytes. Throws
 * for bytes with the prefix of such a type that are not RLP.
 */
function ownChainId(bytesHex: string): number | undefined {
  const bytes = asHex(bytesHex.toLowerCase());
  if (!OWN_TYPES.some(({ prefix }) => bytes.startsWith(prefix))) return undefined;
  const [chainId, ...members] = fromRlp(`0x${bytes.slice(4)}`, 'hex') as unknown[];
  return typeof chainId === 'string' && members.length > 8 ? Number(chainId) : undefined;
}

/** True for a signed or unsigned EVM transaction. */
export function isEvmTransaction(bytesHex: string): boolean {
  try {
    if (ownChainId(bytesHex) !== undefined) return true;
    const { type, to, data, value, nonce } = parseTransaction(asHex(bytesHex));
    return type !== undefined && [to, data, value, nonce].some((member) => member !== undefined);
  } catch {
    return false;
  }
}

/** Undefined if the transaction has no chain id, or if the bytes are not a transaction. */
export function chainIdIn(bytesHex: string): number | undefined {
  try {
    return ownChainId(bytesHex) ?? parseTransaction(asHex(bytesHex)).chainId;
  } catch {
    return undefined;
  }
}

type Authorization = { readonly chainId: number; readonly address: string; readonly nonce: number };
const integer = (value: number | bigint) => (BigInt(value) === 0n ? '0x' : numberToHex(value));

/** `rlp([chain_id, address, nonce, y_parity, r, s])` (EIP-7702). */
export function signedAuthorization({ chainId, address, nonce }: Authorization, { r, s, recoveryId }: Signature): string {
  return toRlp([
    integer(chainId),
    asHex(parseAddress(asHex(address)).slice(2).toLowerCase()),
    integer(nonce),
    integer(recoveryId),
    integer(BigInt(r)),
    integer(BigInt(s)),
  ]);
}
