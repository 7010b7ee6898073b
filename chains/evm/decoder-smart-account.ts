import { addr } from 'micro-eth-signer';
import type { UserCall } from '../../domain/transactions';
import { DELEGATE } from './decoder-sponsored';
import { encodedType, type Types } from './decoder-typed-data';
import { addressIn, type Members, membersIn, NotTold, typedListIn, unsignedIn } from './decoder-typed-values';
import { callsIn, ENTRY_POINT, OPERATION_TYPE } from './decoder-user-operations';
import type { DecodedSmartAccount } from './types';

const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;
const ZERO_WORD = `0x${'00'.repeat(32)}`;
const WRITTEN = /^[A-Za-z_]\w*$/;
/** The type of the message and the type of its calls, as EIP-712 encodes types. */
const BATCH = /^(?:Execute|ExecuteBatch|BatchExecution|SignedCalls)\(([\w ,[\]]+)\)(\w+)\(([\w ,]+)\)$/;
const NONCE = /^uint(?:64|128|192|256) nonce$/;
const BESIDE = /^(?:(?:bytes32|uint256) salt|uint(?:32|40|48|64|128|256) (?:deadline|expiry|expiration|validUntil|validAfter))$/;
/** The two modes of ERC-7821 in which the account makes exactly the calls of the message. */
const MODES: readonly unknown[] = [`0x01${'0'.repeat(62)}`, `0x01000000000078210001${'0'.repeat(44)}`];
const CALLS_MAX = 64;

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function assert(isTold: boolean): asserts isTold {
  if (!isTold) throw new NotTold();
}

function dataIn(value: unknown): string {
  assert(typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(value));
  return value.toLowerCase();
}

/** Returns the names of the three members of a call. Throws for a member whose type does not match its name. */
function rolesOf(fields: readonly string[]) {
  const nameOf = (...written: readonly string[]) => {
    const [found, ...more] = fields.filter((field) => written.includes(field));
    assert(found !== undefined && more.length === 0);
    return found.split(' ')[1] ?? '';
  };
  assert(fields.length === 3);
  return {
    to: nameOf('address to', 'address target'),
    value: nameOf('uint256 value'),
    data: nameOf('bytes data', 'bytes callData'),
  };
}

const isBeside = (field: string, message: Members): boolean => {
  if (field === 'bytes32 mode') return MODES.includes(message['mode']);
  if (field === 'bool multichain') return message['multichain'] === false;
  return NONCE.test(field) || BESIDE.test(field);
};

/**
 * Reads a message that the account itself verifies. Throws if any member other than the list of calls could affect the account or
 * change the calls.
 */
function readBatch(written: string, message: Members, contract: string): Omit<DecodedSmartAccount, 'chainId'> {
  const [, ofMessage, struct, ofCall] = BATCH.exec(written) ?? [];
  assert(ofMessage !== undefined && struct !== undefined && ofCall !== undefined);
  const fields = ofMessage.split(',');
  const lists = [`${struct}[] calls`, `${struct}[] executions`];
  const [list, ...others] = fields.filter((field) => lists.includes(field));
  assert(list !== undefined && others.length === 0);
  assert(fields.every((field) => field === list || isBeside(field, message)));
  assert(fields.filter((field) => NONCE.test(field)).length === 1);
  const { to, value, data } = rolesOf(ofCall.split(','));
  const calls = typedListIn(message[list.split(' ')[1] ?? '']).map((call) => ({
    to: addressIn(call[to]),
    valueUnits: unsignedIn(call[value], 256n).toString(),
    dataHex: dataIn(call[data]),
  }));
  return { address: contract, calls };
}

/**
 * Reads an operation that the entry point passes to the account's own code. Throws if the operation could cost the account a
 * fee.
 */
function readOperation(message: Members, domain: Members, contract: string): Omit<DecodedSmartAccount, 'chainId'> {
  assert(isSame(contract, `0x${ENTRY_POINT}`) && domain['name'] === 'ERC4337' && domain['version'] === '1');
  assert(domain['salt'] === undefined);
  assert(message['initCode'] === '0x' && message['paymasterAndData'] === '0x');
  assert(unsignedIn(message['preVerificationGas'], 256n) === 0n && message['gasFees'] === ZERO_WORD);
  return { address: addressIn(message['sender']), calls: callsIn(dataIn(message['callData']).slice(2)) };
}

/**
 * A call with data to the account itself or to the entry point can contain further calls. An account's code may treat the zero
 * address as the account itself (ERC-7821).
 */
const hidesOthers = (address: string, { to, dataHex }: UserCall): boolean =>
  isSame(to, ZERO_ADDRESS) || (dataHex !== '0x' && (isSame(to, address) || isSame(to, `0x${ENTRY_POINT}`)));

function read(text: string): DecodedSmartAccount {
  const { types: given, primaryType, domain: ofDomain, message: ofMessage } = membersIn(JSON.parse(text));
  const [types, domain, message] = [membersIn(given), membersIn(ofDomain), membersIn(ofMessage)];
  const names = Object.entries(types).flatMap(([name, fields]) => [name, ...typedListIn(fields).map((field) => field['name'])]);
  assert(typeof primaryType === 'string' && names.every((name) => typeof name === 'string' && WRITTEN.test(name)));
  const chainId = Number(unsignedIn(domain['chainId'], 53n));
  const contract = addressIn(domain['verifyingContract']);
  const written = encodedType(primaryType, types as Types);
  const told = written === OPERATION_TYPE ? readOperation(message, domain, contract) : readBatch(written, message, contract);
  assert(told.calls.length > 0 && told.calls.length <= CALLS_MAX);
  assert(!told.calls.some((call) => hidesOthers(told.address, call)));
  return { chainId, ...told };
}

/** Undefined for typed data that this code does not recognise exactly. */
export function readSmartAccount(text: string): DecodedSmartAccount | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/** An authorization (EIP-7702) may name only this contract, which obeys only the account's key and the entry point. */
export const smartAccountDelegate = addr.addChecksum(DELEGATE);
