import { evmDecoderOf } from '../../../chains/decoders';
import type { DecodedSponsored, EvmDecoder } from '../../../chains/evm/types';
import { digestOf } from '../../../platform/canonical';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { JudgedOrders } from '../judged-orders';
import { assertTimely } from '../order-checks';
import { requireNetwork } from '../require-network';
import { assertAmount, assertRows, sameAsset } from './judge-evm';

/**
 * Without a `callDigest` in the intent, the operation must be a single call that makes the transfer. With a `callDigest`, the
 * operation must make exactly the approved calls.
 */
function assertIntent(
  { intent, encrypted }: JudgedOrders['signSponsored'],
  { operation, transfer }: DecodedSponsored,
  decoder: EvmDecoder,
): void {
  refuseUnless(decoder.sameAddress(operation.sender, intent.from), 'SenderMismatch');
  if (intent.callDigest !== undefined) {
    refuseUnless(digestOf(operation.calls) === intent.callDigest, 'CallMismatch');
    return;
  }
  if (transfer === undefined || transfer.opaque.length > 0) throw new Refusal('BytesNotUnderstood');
  refuseUnless(transfer.owner === undefined || decoder.sameAddress(transfer.owner, intent.from), 'SenderMismatch');
  refuseUnless(sameAsset(decoder, transfer.asset, intent.asset), 'AssetMismatch');
  refuseUnless(decoder.sameAddress(transfer.recipient, intent.to), 'RecipientMismatch');
  assertAmount({ intent, encrypted }, transfer);
}

/**
 * Throws a `Refusal` unless the operation does exactly what was approved and the transaction contains nothing else. The
 * sponsor's key signs only after the sender's key. Otherwise the sponsor could pay fees for something else.
 */
export function judgeSponsored(order: JudgedOrders['signSponsored'], nowMs: number): DecodedSponsored {
  const network = requireNetwork('evm', order.network);
  const decoder = evmDecoderOf(network.name);
  const { intent, sponsor, part } = order;
  assertTimely(order, nowMs);
  assertRows(order, network, decoder, part === 'Operation' ? intent.from : sponsor);
  const read = decoder.decodeSponsored(order.bytesHex);
  refuseUnless(read.opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(read.chainId === network.chainId && order.chainId === network.chainId, 'ChainIdMismatch');
  refuseUnless(read.nonce === order.nonce, 'NonceMismatch');
  refuseUnless(decoder.sameAddress(read.sponsor, sponsor) && !decoder.sameAddress(sponsor, intent.from), 'SenderMismatch');
  assertIntent(order, read, decoder);
  refuseUnless(read.maxFeeUnits <= BigInt(order.feeCeilingUnits), 'FeeAboveApproved');
  refuseUnless(read.maxFeeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  if (part === 'Operation') return read;
  const signers = [read.operationSigner, ...(read.authorization === null ? [] : [read.authorization.signer])];
  refuseUnless(
    signers.every((signer) => signer !== undefined && decoder.sameAddress(signer, intent.from)),
    'SenderMismatch',
  );
  return read;
}
