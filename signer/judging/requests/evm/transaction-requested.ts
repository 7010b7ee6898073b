import { z } from 'zod';
import { evmDecoderOf } from '../../../../chains/decoders';
import type { EvmNetwork } from '../../../../chains/evm/types';
import type { EvmCall } from '../../../../domain/transactions';
import { digestOf } from '../../../../platform/canonical';
import { nonceOfOrder } from '../../evm/logged-nonce';
import type { JudgedOrders } from '../../judged-orders';
import { requireNetwork } from '../../require-network';
import {
  assertAsked,
  assertIntentId,
  RequestExternalId,
  readSignedBody,
  type SignedRequest,
  WrittenAddress,
} from '../signed-body';
import { encodeRequestedCall, WrittenParameter } from './abi-encoding';
import { assertPrice } from './assert-price';
import { effectRequested, isEffectOf } from './is-effect-of';
import { nonceRequested, type RequestTerms, termsRequested, WrittenTransaction } from './request-terms';
import { addressWritten, quantityWritten, WrittenQuantity } from './written-members';

const Parameters = z.array(WrittenParameter).max(64);
const MEMBERS = {
  to: WrittenAddress,
  value: z.string().max(80).optional(),
  data: z.string().max(65_536).optional(),
  nonce: WrittenQuantity.optional(),
  gasLimit: z.string().max(80).optional(),
  externalId: RequestExternalId,
};
const FunctionCall = z.strictObject({
  contract: WrittenAddress,
  abi: z.strictObject({
    type: z.literal('function'),
    name: z.string(),
    stateMutability: z.enum(['nonpayable', 'payable']),
    inputs: Parameters,
    outputs: Parameters,
  }),
  calldata: z.record(z.string(), z.unknown()).optional(),
  value: z.string().max(80).optional(),
});
type FunctionCall = z.infer<typeof FunctionCall>;

const Body = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Transaction'), transaction: WrittenTransaction, externalId: RequestExternalId }),
  z.strictObject({
    kind: z.literal('Eip1559'),
    ...MEMBERS,
    maxFeePerGas: z.string().max(80).optional(),
    maxPriorityFeePerGas: z.string().max(80).optional(),
  }),
  z.strictObject({ kind: z.literal('Evm'), ...MEMBERS }),
  z.strictObject({ kind: z.literal('FunctionCall'), call: FunctionCall, externalId: RequestExternalId }),
]);
type Body = z.infer<typeof Body>;

function functionIn({ contract, abi, calldata = {}, value = '0' }: FunctionCall, { addressPrefix }: EvmNetwork) {
  assertAsked(abi.stateMutability === 'payable' || quantityWritten(value) === 0n);
  return { to: addressWritten(contract, addressPrefix), value, data: encodeRequestedCall(abi.name, abi.inputs, calldata) };
}

function termsIn(body: Body, network: EvmNetwork, from: string): RequestTerms {
  if (body.kind === 'Transaction') return termsRequested(body.transaction, network, from);
  if (body.kind === 'FunctionCall') return termsRequested(functionIn(body.call, network), network, from);
  const { kind: _kind, externalId: _externalId, ...members } = body;
  return termsRequested(members, network, from);
}

/** The call of a body in any of these forms. Throws if the body names a different sender or chain. */
export const callAsked = (request: Pick<SignedRequest, 'body'>, network: string, from: string): EvmCall =>
  termsIn(readSignedBody(Body, request), requireNetwork('evm', network), from).call;

/** No sponsor pays for a raw transaction. */
export function assertEvmTransaction(order: JudgedOrders['signTransfer'], request: SignedRequest): null {
  const body = readSignedBody(Body, request);
  const { intent, encrypted, replaces, intentId, bytesHex } = order;
  const network = requireNetwork('evm', order.network);
  const terms = termsIn(body, network, intent.from);
  const { call } = terms;
  assertAsked(encrypted === undefined && replaces === undefined && digestOf(call) === intent.callDigest);
  assertAsked(isEffectOf(intent, effectRequested(call)));
  assertAsked(terms.bytesHex === undefined || terms.bytesHex === bytesHex);
  const { nonce, nonceKey } = nonceOfOrder(order);
  const asked = nonceRequested(terms, intent.from);
  assertAsked(nonceKey === BigInt(call.nonceKey ?? 0) && (asked === undefined || asked === BigInt(nonce)));
  assertPrice(bytesHex, terms, evmDecoderOf(network.name));
  assertIntentId(intentId, 'transaction', body.externalId);
  return null;
}
