import { isAddressEqual } from 'viem/utils';
import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { UserCall } from '../../domain/transactions';
import { asHex } from './call';
import { parseAddress } from './signatures';
import { batchOf, ENTRY_POINT, OPERATION_TYPES } from './user-operations';

type Members = Readonly<Record<string, unknown>>;
type Field = { readonly name: string; readonly type: string };
type Fault = (member: string, message: string) => AppError;
type Committed = {
  readonly domain: Members;
  readonly message: Members;
  readonly types: ReadonlyMap<string, readonly Field[]>;
  readonly primaryType: string;
};
type Account = { readonly address: string; readonly calls: readonly UserCall[] };

const OPERATION = 'PackedUserOperation';
/**
 * The primary types of messages that carry a batch. Apart from these types only `OPERATION` is accepted, because the meaning of
 * any other type is unknown.
 */
const BATCHES: readonly string[] = ['Execute', 'ExecuteBatch', 'BatchExecution', 'SignedCalls'];
const LISTS: readonly string[] = ['calls', 'executions'];
const MEMBERS_OF_CALL = { to: 'to', target: 'to', value: 'value', data: 'data', callData: 'data' } as const;
const TYPE_OF_MEMBER = { to: 'address', value: 'uint256', data: 'bytes' } as const;
/**
 * The batch modes of ERC-7821 in which the calls succeed or fail together, without and with a signature. In any other mode the
 * account can take its calls from other bytes.
 */
const MODES: readonly unknown[] = [`0x01${'00'.repeat(31)}`, `0x01000000000078210001${'00'.repeat(22)}`];
const TIME = /^uint(?:32|40|48|64|128|256)$/;

type Beside = { readonly type: RegExp; readonly isHarmless?: (value: unknown) => boolean };
/**
 * Members that a message may have in addition to its calls. With an allowed value, none of these members affects the account or
 * the calls.
 */
const BESIDE: ReadonlyMap<string, Beside> = new Map<string, Beside>([
  ['nonce', { type: /^uint(?:64|128|192|256)$/ }],
  ['salt', { type: /^(?:bytes32|uint256)$/ }],
  ...['deadline', 'expiry', 'expiration', 'validUntil', 'validAfter'].map((name): [string, Beside] => [name, { type: TIME }]),
  ['mode', { type: /^bytes32$/, isHarmless: (value) => MODES.includes(value) }],
  // `true` would make a message valid on several chains.
  ['multichain', { type: /^bool$/, isHarmless: (value) => value === false }],
]);

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Undefined for a sign, for leading zeros of decimal digits, and for a number that JSON may have rounded. The signer can read
 * every number that this function accepts.
 */
function unitsIn(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(?:0|[1-9]\d{0,77}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : undefined;
}

const isAccount = (value: unknown, address: string): boolean => {
  try {
    return typeof value === 'string' && isAddressEqual(asHex(parseAddress(value)), asHex(address));
  } catch {
    return false;
  }
};

/** The signer requires a lower-case `0x`. */
const isBytes = (value: unknown, dataHex: string): boolean =>
  typeof value === 'string' && value.startsWith('0x') && value.toLowerCase() === dataHex;

/** The account must pay nothing for the operation, because the sender of the transaction pays. */
function assertOperation({ domain, types, message }: Committed, { address, calls }: Account, fault: Fault): void {
  const written = (fields: readonly Field[]) => fields.map(({ type, name }) => `${type} ${name}`).join();
  if (types.size !== 1 || written(types.get(OPERATION) ?? []) !== written(OPERATION_TYPES.PackedUserOperation))
    throw fault('types', `must be those of ${OPERATION} of the entry point 0.8, and no others`);
  const { name, version, verifyingContract } = domain;
  if (!isAccount(verifyingContract, ENTRY_POINT))
    throw fault('domain.verifyingContract', `must be the entry point ${ENTRY_POINT}`);
  if (name !== 'ERC4337' || version !== '1') throw fault('domain', 'must be named ERC4337 in version 1');
  if ('salt' in domain) throw fault('domain.salt', 'is not part of the domain of the entry point');
  if (!isAccount(message['sender'], address)) throw fault('message.sender', `must be ${address}, the account`);
  for (const member of ['initCode', 'paymasterAndData'])
    if (message[member] !== '0x') throw fault(`message.${member}`, 'must be 0x: any other value would involve third-party code');
  if (unitsIn(message['preVerificationGas']) !== 0n) throw fault('message.preVerificationGas', 'must be 0');
  if (message['gasFees'] !== `0x${'00'.repeat(32)}`)
    throw fault('message.gasFees', 'must be zero: otherwise the account pays a fee that no policy has seen');
  if (!isBytes(message['callData'], batchOf(calls).toLowerCase()))
    throw fault('message.callData', 'must be executeBatch with exactly the calls of userOperations, in their order');
}

function batchIn({ types, primaryType, message }: Committed, fault: Fault) {
  if (!BATCHES.includes(primaryType))
    throw fault('types', `must have one of ${[...BATCHES, OPERATION].join(', ')} as its primary type`);
  const fields = types.get(primaryType) ?? [];
  const lists = fields.filter(({ name }) => !BESIDE.has(name));
  const [list] = lists;
  const stranger = lists.find(({ name }) => !LISTS.includes(name));
  if (stranger) throw fault(`message.${stranger.name}`, 'is neither the list of calls nor another member that is allowed here');
  if (!list || lists.length !== 1) throw fault('types', 'must have one list of calls');
  const struct = list.type.endsWith('[]') ? types.get(list.type.slice(0, -2)) : undefined;
  if (!struct || types.size !== 2) throw fault('types', `must be ${primaryType} and the struct of its calls, and no others`);
  for (const { name, type } of fields) {
    const known = BESIDE.get(name);
    if (known && (!known.type.test(type) || known.isHarmless?.(message[name]) === false))
      throw fault(`message.${name}`, 'has a type or value that is not allowed together with the calls');
  }
  if (!fields.some(({ name }) => name === 'nonce'))
    throw fault('message.nonce', 'is required: without a single-use number the calls could be replayed');
  if (new Set(fields.map(({ name }) => name)).size !== fields.length) throw fault('types', 'must name each member once');
  return { list: list.name, roles: rolesOf(struct, fault) };
}

function rolesOf(struct: readonly Field[], fault: Fault): Readonly<Record<'to' | 'value' | 'data', string>> {
  const found = new Map<string, string>();
  for (const { name, type } of struct) {
    const role = Object.hasOwn(MEMBERS_OF_CALL, name) ? MEMBERS_OF_CALL[name as keyof typeof MEMBERS_OF_CALL] : undefined;
    if (role && TYPE_OF_MEMBER[role] === type && !found.has(role)) found.set(role, name);
  }
  const [to, value, data] = ['to', 'value', 'data'].map((role) => found.get(role));
  if (struct.length === 3 && to && value && data) return { to, value, data };
  throw fault(
    'types',
    'must give each call exactly these members: address to (or target), uint256 value and bytes data (or callData)',
  );
}

function assertBatch(committed: Committed, { address, calls }: Account, fault: Fault): void {
  const { domain, message } = committed;
  const { list, roles } = batchIn(committed, fault);
  if (!isAccount(domain['verifyingContract'], address))
    throw fault('domain.verifyingContract', `must be ${address}, the account that makes the calls`);
  const elements = message[list];
  if (!Array.isArray(elements) || elements.length !== calls.length)
    throw fault(`message.${list}`, `must be the ${calls.length} calls of userOperations`);
  calls.forEach(({ to, valueUnits, dataHex }, index) => {
    const at = `message.${list}.${index}`;
    const element: unknown = elements[index];
    const differs = 'differs from the same call of userOperations';
    if (!isMembers(element) || !isAccount(element[roles.to], to)) throw fault(`${at}.${roles.to}`, differs);
    if (unitsIn(element[roles.value]) !== BigInt(valueUnits)) throw fault(`${at}.${roles.value}`, differs);
    if (!isBytes(element[roles.data], dataHex)) throw fault(`${at}.${roles.data}`, differs);
  });
}

function committedIn(typedData: string): Committed {
  const { domain, message, types, primaryType } = JSON.parse(typedData) as Record<'domain' | 'message', Members> & {
    readonly types: Readonly<Record<string, readonly Field[]>>;
    readonly primaryType: string;
  };
  const structs = Object.entries(types).filter(([name]) => name !== 'EIP712Domain');
  return { domain, message, primaryType, types: new Map(structs) };
}

/**
 * Throws `InvalidRequest` with the path below `at` unless the typed data commits to exactly these calls of this account
 * (docs/decisions/0037). The caller checks the chain.
 */
export function assertCommitsTo(typedData: string, account: Account, at: string): void {
  const fault: Fault = (member, message) => {
    const path = `${at}.${member}`;
    return fieldFault(path, message);
  };
  const committed = committedIn(typedData);
  if (committed.primaryType === OPERATION) assertOperation(committed, account, fault);
  else assertBatch(committed, account, fault);
}
