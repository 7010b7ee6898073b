import { hashAuthorization, parseTransaction, serializeTransaction } from 'viem/utils';
import { AMOUNT_UNITS_MAX } from '../../domain/amounts';
import { isAbsent } from '../../domain/slots';
import type { EvmAuthorization, EvmCall, EvmTerms, EvmTransactionType } from '../../domain/transactions';
import { asHex, type Hex } from './call';
import { addressIn, type MemberFault, memberFaultAt, quantityIn } from './request-members';
import { serializeCall } from './serialize';
import { signerOf } from './signatures';
import type { AuthorizationInput, EvmNetwork, TransactionInput } from './types';
import { variantOf } from './variants';
import { OWN_TYPES } from './variants/own-types';
import type { OwnType } from './variants/slots';

/**
 * The maximum total size in bytes of data, access list and authorization list. With this limit an order to the signer stays well
 * below the size limit of orders.
 */
const CALL_BYTES_MAX = 16 * 1024;
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
const AUTHORIZATION_BYTES = 128;
/**
 * Postgres stores a claimed nonce as a 32-bit integer. EIP-2681 allows higher nonces, but no account sends so many transactions.
 */
const NONCE_MAX = 2n ** 31n - 1n;
const GAS_MAX = 2n ** 63n - 1n;
const WORD = /^0x[0-9a-f]{64}$/i;
const NUMBER_OF_TYPE = { legacy: 0, eip2930: 1, eip1559: 2, eip7702: 4 } as const;

function wordOf(fault: MemberFault, field: string, text: string): string {
  if (!WORD.test(text)) throw fault(field, 'must be 0x and 64 hexadecimal digits');
  return text.toLowerCase();
}

function dataOf(fault: MemberFault, text: string): string {
  if (!/^(?:0x)?(?:[0-9a-f]{2})*$/i.test(text)) throw fault('data', 'must be hexadecimal digits, two per byte');
  return asHex(text).toLowerCase();
}

function authorizationOf(fault: MemberFault, chainId: number, input: AuthorizationInput, index: number): EvmAuthorization {
  const field = (name: string) => `authorizationList.${index}.${name}`;
  const own = Number(quantityIn(fault, field('chainId'), input.chainId, BigInt(Number.MAX_SAFE_INTEGER)));
  if (own !== 0 && own !== chainId) throw fault(field('chainId'), `must be ${chainId}, or 0 for every chain`);
  return {
    chainId: own,
    address: addressIn(fault, field('address'), input.address),
    nonce: Number(quantityIn(fault, field('nonce'), input.nonce, NONCE_MAX)),
    yParity: quantityIn(fault, field('yParity'), input.yParity, 1n) === 1n ? 1 : 0,
    r: wordOf(fault, field('r'), input.r),
    s: wordOf(fault, field('s'), input.s),
  };
}

/**
 * The sender's nonces that the authorizations use up. Throws for an authorization without a valid signature, because the chain
 * would skip it.
 */
function ownNoncesOf(fault: MemberFault, list: readonly EvmAuthorization[], from: string): number[] {
  return list.flatMap(({ chainId, address, nonce, yParity, r, s }, index) => {
    const authority = signerOf(hashAuthorization({ chainId, contractAddress: asHex(address), nonce }), {
      r,
      s,
      recoveryId: yParity,
    });
    if (authority === undefined) throw fault(`authorizationList.${index}`, 'is not signed by any key (EIP-7702)');
    return authority === from ? [nonce] : [];
  });
}

const ownTypeOn = (network: EvmNetwork): OwnType | undefined => {
  const { ownType } = variantOf(network).serialize;
  return isAbsent(ownType) ? undefined : ownType;
};

function typeOf(fault: MemberFault, input: TransactionInput, network: EvmNetwork): EvmTransactionType {
  const { types: common, typeUnlessNamed } = variantOf(network).serialize;
  const own = ownTypeOn(network);
  const types = own ? [...common, own.type] : common;
  const number = quantityIn(fault, 'type', input.type ?? typeUnlessNamed, 255n);
  const type = types.find((one) => BigInt(one) === number);
  if (type === undefined) throw fault('type', `must be one of ${types.join(', ')}`);
  return type;
}

function callOf(fault: MemberFault, input: TransactionInput, network: EvmNetwork): EvmCall {
  const { chainId } = network;
  const type = typeOf(fault, input, network);
  const named = ownTypeOn(network);
  const own = named?.type === type ? named : undefined;
  if (input.to === undefined || input.to === null || input.to === '0x') {
    throw fault('to', 'is required: contracts cannot be created with a wallet yet');
  }
  if ((type === 0 || own?.takesAccessList === false) && input.accessList !== undefined)
    throw fault('accessList', 'needs type 1, 2 or 4');
  if (type !== 4 && input.authorizationList !== undefined) throw fault('authorizationList', 'needs type 4');
  const authorizationList = (input.authorizationList ?? []).map((one, index) => authorizationOf(fault, chainId, one, index));
  if (type === 4 && authorizationList.length === 0) throw fault('authorizationList', 'is required for type 4');
  const accessList = (input.accessList ?? []).map(({ address, storageKeys }, index) => ({
    address: addressIn(fault, `accessList.${index}.address`, address),
    storageKeys: storageKeys.map((key, at) => wordOf(fault, `accessList.${index}.storageKeys.${at}`, key)),
  }));
  const dataHex = dataOf(fault, input.data ?? '0x');
  const bytes =
    dataHex.length / 2 +
    accessList.reduce((sum, { storageKeys }) => sum + ADDRESS_BYTES + storageKeys.length * WORD_BYTES, 0) +
    authorizationList.length * AUTHORIZATION_BYTES;
  if (bytes > CALL_BYTES_MAX) throw fault('data', `is too long: data and lists together take at most ${CALL_BYTES_MAX} bytes`);
  const valueUnits = quantityIn(fault, 'value', input.value ?? 0, AMOUNT_UNITS_MAX).toString();
  const { coin } = variantOf(network).fees;
  if (isAbsent(coin) && valueUnits !== '0') throw fault('value', `must be 0: ${coin.why}`);
  const to = addressIn(fault, 'to', input.to);
  return { type, to, valueUnits, dataHex, accessList, authorizationList, ...ownMembersOf(fault, input, type, own) };
}

/**
 * Returns the member that only the network's own type has, or nothing for a common type. Throws if the request has such a
 * member, but `type` is not the type to which the member belongs.
 */
function ownMembersOf(
  fault: MemberFault,
  input: TransactionInput,
  type: EvmTransactionType,
  own: OwnType | undefined,
): Pick<EvmCall, 'feeCurrency' | 'nonceKey'> {
  for (const { type: its, member, chain } of OWN_TYPES)
    if (type !== its && input[member] !== undefined) throw fault(member, `needs type ${its}, on a network of ${chain}`);
  return own ? own.ownMember(fault, input) : {};
}

function pricesOf(fault: MemberFault, input: TransactionInput, { type }: EvmCall) {
  const word = (field: 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas') => {
    const given = input[field];
    return given === undefined ? null : quantityIn(fault, field, given, AMOUNT_UNITS_MAX);
  };
  const [gasPrice, maxFee, tip] = [word('gasPrice'), word('maxFeePerGas'), word('maxPriorityFeePerGas')];
  if (type === 0 || type === 1) {
    if (maxFee !== null) throw fault('maxFeePerGas', 'needs type 2 or 4; types 0 and 1 have a gasPrice');
    if (tip !== null) throw fault('maxPriorityFeePerGas', 'needs type 2 or 4; types 0 and 1 have a gasPrice');
    return { maxFeePerGas: gasPrice?.toString() ?? null, maxPriorityFeePerGas: null };
  }
  if (gasPrice !== null) throw fault('gasPrice', 'needs type 0 or 1; types 2 and 4 have a maxFeePerGas');
  if (maxFee !== null && tip !== null && tip > maxFee) throw fault('maxPriorityFeePerGas', 'must be at most maxFeePerGas');
  return { maxFeePerGas: maxFee?.toString() ?? null, maxPriorityFeePerGas: tip?.toString() ?? null };
}

/**
 * Throws unless the bytes are the canonical encoding of the members: other data could hide between or after the members. For a
 * network's own type, `assertWhole` checks the encoding later.
 */
function membersOf(fault: MemberFault, text: string, network: EvmNetwork): TransactionInput {
  const bytes = asHex(text.toLowerCase());
  const own = ownTypeOn(network);
  if (own && bytes.startsWith(own.prefix)) return ownTypeOf(fault, bytes, own);
  if (/^0x03/.test(bytes)) throw fault('', 'is a transaction with blobs, which is not supported');
  let parsed: ReturnType<typeof parseTransaction>;
  let again: string;
  try {
    parsed = parseTransaction(bytes);
    again = serializeTransaction(parsed);
  } catch {
    throw fault('', 'is not a serialized transaction of type 0, 1, 2 or 4');
  }
  if ('r' in parsed && parsed.r !== undefined) throw fault('', 'is already signed: send the unsigned bytes');
  if (again !== bytes) throw fault('', 'is not the canonical encoding of one unsigned transaction');
  const type = NUMBER_OF_TYPE[parsed.type as keyof typeof NUMBER_OF_TYPE];
  if (parsed.chainId === undefined) throw fault('', 'has no chain id (EIP-155)');
  const { to, value = 0n, data = '0x', nonce = 0, gas = 0n, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = parsed;
  const digits = (units: bigint | undefined) => (units ?? 0n).toString();
  return {
    type,
    chainId: parsed.chainId,
    to,
    value: value.toString(),
    data,
    nonce,
    gasLimit: gas.toString(),
    ...(type === 0 || type === 1
      ? { gasPrice: digits(gasPrice) }
      : { maxFeePerGas: digits(maxFeePerGas), maxPriorityFeePerGas: digits(maxPriorityFeePerGas) }),
    ...(type === 0 ? {} : { accessList: parsed.accessList ?? [] }),
    ...(type === 4
      ? { authorizationList: (parsed.authorizationList ?? []).map((one) => ({ ...one, yParity: one.yParity ?? 2 })) }
      : {}),
  };
}

/** Does not check the encoding: `assertWhole` checks later that the members cover all of the bytes. */
function ownTypeOf(fault: MemberFault, bytes: Hex, { type, membersOf: read }: OwnType): TransactionInput {
  try {
    const { fees, value, ...members } = read(bytes);
    return {
      ...members,
      type,
      value: value.toString(),
      gasLimit: fees.gas.toString(),
      maxFeePerGas: fees.maxFeePerGas.toString(),
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
    };
  } catch {
    throw fault('', `is not a serialized transaction of type ${type}`);
  }
}

/**
 * Throws if bytes of a network's own type contain more than the members show, such as further calls, a fee payer or a
 * signature.
 */
function assertWhole(
  fault: MemberFault,
  text: string,
  network: EvmNetwork,
  { call, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
) {
  if (ownTypeOn(network)?.type !== call.type) return;
  const fees = {
    gas: BigInt(gas ?? 0),
    maxFeePerGas: BigInt(maxFeePerGas ?? 0),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
  };
  if (serializeCall(network, call, nonce ?? 0, fees) !== asHex(text.toLowerCase()))
    throw fault('', 'must be the canonical encoding of one unsigned call and contain nothing else');
}

function termsOfMembers(network: EvmNetwork, input: TransactionInput, from: string, fault: MemberFault): EvmTerms {
  if (input.chainId !== undefined) {
    const chainId = quantityIn(fault, 'chainId', input.chainId, AMOUNT_UNITS_MAX);
    if (chainId !== BigInt(network.chainId)) throw fault('chainId', `must be ${network.chainId}, the chain of ${network.name}`);
  }
  if (input.from !== undefined && addressIn(fault, 'from', input.from) !== from) {
    throw fault('from', `must be the wallet's own address ${from}`);
  }
  const call = callOf(fault, input, network);
  const ownNonces = ownNoncesOf(fault, call.authorizationList, from);
  const [own] = ownNonces;
  const given = input.nonce === undefined ? undefined : Number(quantityIn(fault, 'nonce', input.nonce, NONCE_MAX));
  // The sender's own authorizations must carry the nonces after the nonce of the transaction (EIP-7702).
  if (own === 0 || ownNonces.some((nonce, index) => nonce !== (own ?? 0) + index)) {
    throw fault('authorizationList', "the sender's own authorizations must carry the nonces after the transaction's");
  }
  if (own !== undefined && given !== undefined && given !== own - 1) {
    throw fault('nonce', `must be ${own - 1}, one below the sender's own authorization`);
  }
  return {
    call,
    nonce: given ?? (own === undefined ? null : own - 1),
    gas: input.gasLimit === undefined ? null : quantityIn(fault, 'gasLimit', input.gasLimit, GAS_MAX).toString(),
    ...pricesOf(fault, input, call),
    ownNonces,
  };
}

/**
 * Reads a transaction from its members or from its unsigned bytes. A fault in bytes is reported for the whole text, because the
 * request has no path to a part of the bytes.
 */
export function termsOf(network: EvmNetwork, input: TransactionInput | string, from: string, at: string): EvmTerms {
  const fault = memberFaultAt(at);
  if (typeof input !== 'string') return termsOfMembers(network, input, from, fault);
  const ofText: MemberFault = (field, message) => fault('', field === '' ? message : `${field} ${message}`);
  const terms = termsOfMembers(network, membersOf(ofText, input, network), from, ofText);
  assertWhole(ofText, input, network, terms);
  return terms;
}
