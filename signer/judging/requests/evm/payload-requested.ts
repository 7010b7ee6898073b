import { isDeepStrictEqual } from 'node:util';
import { evmDecoderOf, evmOwnTypeChainId } from '../../../../chains/decoders';
import type { EvmNetwork } from '../../../../chains/evm/types';
import { findEvmNetwork } from '../../../../chains/networks';
import { digestOf } from '../../../../platform/canonical';
import { decodeEvmTransaction } from '../../payloads/evm-transaction';
import { requireNetwork } from '../../require-network';
import type { SigningPayload } from '../../signing-payload';
import { assertTypedData } from '../assert-typed-data';
import type { RequestedSignature } from '../signature-body';
import { assertAsked } from '../signed-body';
import { assertPrice } from './assert-price';
import { nonceRequested, termsRequested, type WrittenTransaction } from './request-terms';
import { callsRequested } from './user-operations-requested';
import { addressWritten } from './written-members';

/** If the body names a network, the network must have this chain id. */
export function assertOnChain(named: string | undefined, chainId: number | string | undefined): void {
  if (named === undefined || chainId === undefined) return;
  assertAsked(BigInt(chainId) === BigInt(requireNetwork('evm', named).chainId));
}

function networkOfBytes(bytesHex: string): EvmNetwork {
  const chainId = evmOwnTypeChainId(bytesHex) ?? decodeEvmTransaction(bytesHex)?.chainId;
  const network = chainId === undefined ? undefined : findEvmNetwork(chainId);
  assertAsked(network !== undefined);
  return network;
}

type Asked = {
  readonly transaction: WrittenTransaction;
  readonly network?: string | undefined;
  /** True if the path names a wallet, whose network the caller compares. False for a key, which has no network. */
  readonly isOfWallet: boolean;
};

/** Members that the body leaves open may have any value in the bytes. */
export function assertEvmBytes(bytesHex: string, publicKeyHex: string, { transaction, network: named, isOfWallet }: Asked): void {
  const network = networkOfBytes(bytesHex);
  const decoder = evmDecoderOf(network.name);
  assertOnChain(named, network.chainId);
  const from = decoder.addressOf(publicKeyHex);
  const terms = termsRequested(transaction, network, from);
  if (typeof transaction === 'string') {
    assertAsked(terms.bytesHex === bytesHex);
    return;
  }
  assertAsked(isOfWallet || named !== undefined || transaction.chainId !== undefined);
  const { call, nonce, opaque } = decoder.decodeCall(bytesHex);
  const asked = nonceRequested(terms, from);
  assertAsked(opaque.length === 0 && digestOf(call) === digestOf(terms.call));
  assertAsked(asked === undefined || asked === BigInt(nonce));
  assertPrice(bytesHex, terms, decoder);
}

type Authorization = { readonly chainId: number; readonly address: string; readonly nonce: number };

/** The address in the body may lack its 0x. */
export function assertSameAuthorization({ chainId, address, nonce }: Authorization, asked: Authorization): void {
  const written = addressWritten(`0x${asked.address.replace(/^0x/, '')}`);
  assertAsked(chainId === asked.chainId && nonce === asked.nonce && address.toLowerCase() === written.toLowerCase());
}

type OwnCalls = Extract<SigningPayload, { kind: 'SvcSmartAccountTransaction' }>;
type OwnAccount = Extract<RequestedSignature, { kind: 'SvcSmartAccountTransaction' }>;

export function assertOwnAccount(payload: OwnCalls, { structured, network }: OwnAccount): void {
  const { message, authorization } = structured;
  const { chainId } = message.domain;
  assertAsked(chainId !== undefined && findEvmNetwork(BigInt(chainId))?.name === payload.network);
  assertOnChain(network, chainId);
  assertAsked(addressWritten(structured.address).toLowerCase() === payload.address.toLowerCase());
  const calls = payload.calls.map(({ to, ...call }) => ({ ...call, to: addressWritten(to) }));
  assertAsked(isDeepStrictEqual(calls, callsRequested(structured.userOperations)));
  assertTypedData(payload.typedData, message);
  assertAsked((payload.authorization === null) === (authorization === undefined));
  if (payload.authorization !== null && authorization !== undefined)
    assertSameAuthorization(payload.authorization, authorization);
}
