import { authorization as authorizations } from 'micro-eth-signer';
import { z } from 'zod';
import { evmDecoderOf } from '../../../../chains/decoders';
import type { EvmNetwork } from '../../../../chains/evm/types';
import type { EvmAccess, EvmAuthorization, EvmCall, EvmTransactionType } from '../../../../domain/transactions';
import { requireNetwork } from '../../require-network';
import { assertAsked } from '../signed-body';
import { addressWritten, bytesWritten, quantityWritten, WrittenQuantity, wordWritten } from './written-members';

const Text = z.string().max(66);
const Data = z.string().max(65_536);
const Access = z.strictObject({ address: Text, storageKeys: z.array(Text).max(512) });
const Authorization = z.strictObject({
  chainId: WrittenQuantity,
  address: Text,
  nonce: WrittenQuantity,
  yParity: WrittenQuantity,
  r: Text,
  s: Text,
});

/** The members of a transaction, or its unsigned bytes in hex. */
export const WrittenTransaction = z.union([
  Data.min(2),
  z.strictObject({
    type: WrittenQuantity.optional(),
    chainId: WrittenQuantity.optional(),
    from: Text.optional(),
    to: Text,
    value: WrittenQuantity.optional(),
    data: Data.optional(),
    nonce: WrittenQuantity.optional(),
    gasLimit: WrittenQuantity.optional(),
    gasPrice: WrittenQuantity.optional(),
    maxFeePerGas: WrittenQuantity.optional(),
    maxPriorityFeePerGas: WrittenQuantity.optional(),
    accessList: z.array(Access).max(256).optional(),
    authorizationList: z.array(Authorization).max(256).optional(),
    feeCurrency: Text.optional(),
    nonceKey: WrittenQuantity.optional(),
  }),
]);
export type WrittenTransaction = z.infer<typeof WrittenTransaction>;
type Members = Exclude<WrittenTransaction, string>;

/** Undefined members are open: the service fills in these members after the approval. Types 0 and 1 have one price. */
export type RequestTerms = {
  readonly call: EvmCall;
  readonly nonce: bigint | undefined;
  readonly gas: bigint | undefined;
  readonly price: bigint | undefined;
  readonly tip: bigint | undefined;
  /** Present if the request contains the complete bytes. */
  readonly bytesHex?: string;
};

const TYPES: readonly EvmTransactionType[] = [0, 1, 2, 4, 118, 123];

const given = (value: number | string | undefined) => (value === undefined ? undefined : quantityWritten(value));

function typeIn({ type }: Members, { variant }: EvmNetwork): EvmTransactionType {
  const asked = given(type) ?? (variant === 'legacy' ? 0n : 2n);
  const known = TYPES.find((one) => BigInt(one) === asked);
  assertAsked(known !== undefined);
  return known;
}

const accessIn = ({ accessList = [] }: Members): readonly EvmAccess[] =>
  accessList.map(({ address, storageKeys }) => ({
    address: addressWritten(address),
    storageKeys: storageKeys.map(wordWritten),
  }));

const authorizationsIn = ({ authorizationList = [] }: Members): readonly EvmAuthorization[] =>
  authorizationList.map(({ chainId, address, nonce, yParity, r, s }) => {
    const parity = quantityWritten(yParity);
    assertAsked(parity <= 1n);
    return {
      chainId: Number(quantityWritten(chainId)),
      address: addressWritten(address),
      nonce: Number(quantityWritten(nonce)),
      yParity: parity === 1n ? 1 : 0,
      r: wordWritten(r),
      s: wordWritten(s),
    };
  });

/** Only type 118 has a nonce key, and only type 123 names the token of its fee. */
function ownMembers({ nonceKey, feeCurrency }: Members, type: EvmTransactionType): Pick<EvmCall, 'nonceKey' | 'feeCurrency'> {
  assertAsked((nonceKey === undefined || type === 118) && (feeCurrency !== undefined) === (type === 123));
  if (type === 118) return { nonceKey: quantityWritten(nonceKey ?? 0).toString() };
  return feeCurrency === undefined ? {} : { feeCurrency: addressWritten(feeCurrency) };
}

function callIn(members: Members, network: EvmNetwork): EvmCall {
  const { to, value = 0, data = '0x', accessList, authorizationList } = members;
  const type = typeIn(members, network);
  assertAsked(accessList === undefined || (type !== 0 && type !== 118));
  assertAsked(authorizationList === undefined ? type !== 4 : type === 4 && authorizationList.length > 0);
  return {
    type,
    to: addressWritten(to),
    valueUnits: quantityWritten(value).toString(),
    dataHex: bytesWritten(data),
    accessList: accessIn(members),
    authorizationList: authorizationsIn(members),
    ...ownMembers(members, type),
  };
}

function pricesIn({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Members, { type }: EvmCall) {
  const isOnePrice = type === 0 || type === 1;
  assertAsked(isOnePrice ? maxFeePerGas === undefined && maxPriorityFeePerGas === undefined : gasPrice === undefined);
  return { price: given(isOnePrice ? gasPrice : maxFeePerGas), tip: given(maxPriorityFeePerGas) };
}

function ofBytes(text: string, network: EvmNetwork): RequestTerms {
  const bytesHex = bytesWritten(text.toLowerCase());
  const { call, chainId, nonce, opaque } = evmDecoderOf(network.name).decodeCall(bytesHex);
  assertAsked(opaque.length === 0 && chainId === network.chainId);
  return { call, nonce: BigInt(nonce), gas: undefined, price: undefined, tip: undefined, bytesHex };
}

/** Like `termsRequested`, but for a transaction that is signed and not sent. */
export const callToSign = (written: WrittenTransaction, network: string, from: string): EvmCall =>
  termsRequested(written, requireNetwork('evm', network), from).call;

/** `from` is the sender of the order. Throws a `Refusal` for members that name a different sender or chain. */
export function termsRequested(written: WrittenTransaction, network: EvmNetwork, from: string): RequestTerms {
  if (typeof written === 'string') return ofBytes(written, network);
  const { chainId, from: sender, nonce, gasLimit } = written;
  assertAsked(chainId === undefined || quantityWritten(chainId) === BigInt(network.chainId));
  assertAsked(sender === undefined || evmDecoderOf(network.name).sameAddress(addressWritten(sender), from));
  const call = callIn(written, network);
  return { call, nonce: given(nonce), gas: given(gasLimit), ...pricesIn(written, call) };
}

function authorityOf({ chainId, address, nonce, yParity, r, s }: EvmAuthorization): string | undefined {
  const request = { chainId: BigInt(chainId), address: address.toLowerCase(), nonce: BigInt(nonce) };
  try {
    return authorizations.getAuthority({ ...request, yParity, r: BigInt(r), s: BigInt(s) });
  } catch {
    return undefined;
  }
}

/**
 * The nonce that the request fixes. An authorization of the sender itself (EIP-7702) is valid only directly after the nonce of
 * the transaction, so an authorization also fixes an open nonce.
 */
export function nonceRequested({ call, nonce }: RequestTerms, from: string): bigint | undefined {
  if (nonce !== undefined) return nonce;
  const own = call.authorizationList.find((one) => authorityOf(one)?.toLowerCase() === from.toLowerCase());
  return own && BigInt(own.nonce) - 1n;
}
