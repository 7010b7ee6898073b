import { evmDecoderOf } from '../../../chains/decoders';
import type { DecodedCall, DecodedTx, EvmDecoder, EvmNetwork } from '../../../chains/evm/types';
import type { Effect } from '../../../chains/types';
import { digestOf } from '../../../platform/canonical';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { JudgedOrders } from '../judged-orders';
import { assertKeyRows, assertTimely } from '../order-checks';
import { requireNetwork } from '../require-network';
import { nonceOfOrder } from './logged-nonce';

/** Throws a `Refusal` unless the order's key belongs to the account that signs. */
export function assertRows(order: JudgedOrders['signTransfer'], network: EvmNetwork, decoder: EvmDecoder, account: string): void {
  const { sealed } = order;
  refuseUnless(sealed.scheme === network.scheme && sealed.curve === network.curve, 'KeyRowMismatch');
  assertKeyRows(order);
  let sender: string;
  try {
    sender = decoder.addressOf(sealed.publicKeyHex);
  } catch {
    throw new Refusal('KeyRowMismatch');
  }
  refuseUnless(decoder.sameAddress(sender, account), 'SenderMismatch');
}

type Intent = JudgedOrders['signTransfer']['intent'];

export function sameAsset(decoder: EvmDecoder, decoded: Effect['asset'], approved: Intent['asset']): boolean {
  if (decoded.kind !== approved.kind) return false;
  if (!('contract' in decoded && 'contract' in approved)) return true;
  if (decoded.kind === 'Erc721' && approved.kind === 'Erc721' && decoded.tokenId !== approved.tokenId) return false;
  return decoder.sameAddress(decoded.contract, approved.contract);
}

/**
 * Without a `callDigest` in the intent, the bytes must be a transfer by the decoder's strict rules. A `callDigest` covers the
 * whole call, so the bytes may then be any transaction.
 */
function readBytes(
  { bytesHex, intent }: JudgedOrders['signTransfer'],
  decoder: EvmDecoder,
): Omit<DecodedCall, 'call'> & Pick<DecodedTx, 'encrypted'> {
  if (intent.callDigest === undefined) {
    const { asset, recipient, amountUnits, owner, feeCurrency: _feeCurrency, ...read } = decoder.decode(bytesHex);
    // Without this check, a transfer of another owner's token would be accepted.
    refuseUnless(owner === undefined || decoder.sameAddress(owner, intent.from), 'SenderMismatch');
    return { ...read, effect: { asset, recipient, amountUnits } };
  }
  const { call, ...read } = decoder.decodeCall(bytesHex);
  refuseUnless(read.opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(digestOf(call) === intent.callDigest, 'CallMismatch');
  return read;
}

/** The bytes must contain the approved amount or, for a confidential token, the approved ciphertext and its proof. */
export function assertAmount(
  { intent, encrypted: approved }: Pick<JudgedOrders['signTransfer'], 'intent' | 'encrypted'>,
  { amountUnits, encrypted }: Pick<DecodedTx, 'amountUnits' | 'encrypted'>,
): void {
  if (intent.asset.kind !== 'Erc7984') {
    const isPlain = approved === undefined && encrypted === undefined;
    refuseUnless(isPlain && amountUnits === BigInt(intent.amountUnits), 'AmountMismatch');
    return;
  }
  if (approved === undefined || encrypted === undefined) throw new Refusal('AmountMismatch');
  const isSame = encrypted.handle === approved.handle && encrypted.inputProof === approved.inputProof;
  refuseUnless(isSame, 'AmountMismatch');
}

function assertBytes(order: JudgedOrders['signTransfer'], network: EvmNetwork, decoder: EvmDecoder): void {
  const { effect, encrypted, ...decoded } = readBytes(order, decoder);
  refuseUnless(decoded.opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(decoded.chainId === network.chainId && order.chainId === network.chainId, 'ChainIdMismatch');
  const { nonce, nonceKey } = nonceOfOrder(order);
  refuseUnless(decoded.nonce === nonce && (decoded.nonceKey ?? 0n) === nonceKey, 'NonceMismatch');
  refuseUnless(sameAsset(decoder, effect.asset, order.intent.asset), 'AssetMismatch');
  refuseUnless(decoder.sameAddress(effect.recipient, order.intent.to), 'RecipientMismatch');
  assertAmount(order, { amountUnits: effect.amountUnits, ...(encrypted === undefined ? {} : { encrypted }) });
  refuseUnless(decoded.maxFeeUnits <= BigInt(order.feeCeilingUnits), 'FeeAboveApproved');
  refuseUnless(decoded.maxFeeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
}

/**
 * Throws a `Refusal` unless the order is timely, its key belongs to the sender and its bytes do exactly what was approved.
 * Returns the digest to sign.
 */
export function judgeEvm(order: JudgedOrders['signTransfer'], nowMs: number): Uint8Array {
  const network = requireNetwork('evm', order.network);
  const decoder = evmDecoderOf(network.name);
  assertTimely(order, nowMs);
  assertRows(order, network, decoder, order.intent.from);
  assertBytes(order, network, decoder);
  return decoder.digestOf(order.bytesHex);
}
