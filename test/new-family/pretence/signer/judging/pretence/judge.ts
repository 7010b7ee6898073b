import { createHash } from 'node:crypto';
import { decoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import type { Slot } from '../../../domain/slots';
import { digestOf } from '../../../platform/canonical';
import { intentDigestOf } from '../../../platform/intent-digest';
import type { SignPretenceOrder } from '../../orders/pretence/order';
import type { JudgedOrder } from '../../orders/sign-once';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { IsTransaction } from '../families';
import { assertKeyRows, assertTimely } from '../order-checks';
import { requireNetwork } from '../require-network';

export const isPretenceTransaction: Slot<IsTransaction> = (bytesHex) =>
  inFamily('pretence', decoderOf('PretenceTestnet')).isTransaction(bytesHex);

function describe(order: SignPretenceOrder, sequence: number): JudgedOrder['signed'] {
  const { requestId, intentId, orgId, keyId, network, intent, bytesHex } = order;
  const { callDigest, ...moved } = intent;
  return {
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    orgId,
    keyId,
    intentDigest: intentDigestOf({
      orgId,
      keyId,
      network,
      intent: { ...moved, asset: { kind: 'Native' }, ...(callDigest === undefined ? {} : { callDigest }) },
    }),
    payloadDigest: digestOf({ orgId, keyId, network, bytesHex }),
    claim: `${network} ${moved.from} ${sequence}`,
  };
}

/** Throws a `Refusal` unless the bytes do exactly what was approved, with the order's key, and the order is valid at `nowMs`. */
export function judgePretence(order: SignPretenceOrder, nowMs: number): JudgedOrder {
  const { sealed, intent, bytesHex, feeCeilingUnits } = order;
  const network = requireNetwork('pretence', order.network);
  const decoder = inFamily('pretence', decoderOf(network.name));
  assertTimely(order, nowMs);
  assertKeyRows(order);
  refuseUnless(sealed.scheme === network.scheme && sealed.curve === network.curve, 'KeyRowMismatch');
  const entry = decoder.entryIn(bytesHex);
  if (!entry) throw new Refusal('BytesNotUnderstood');
  refuseUnless(entry.from === intent.from && decoder.addressOf(sealed.publicKeyHex) === intent.from, 'SenderMismatch');
  refuseUnless(entry.to === intent.to, 'RecipientMismatch');
  refuseUnless(entry.amountUnits === BigInt(intent.amountUnits), 'AmountMismatch');
  refuseUnless(intent.callDigest === undefined || intent.callDigest === digestOf({ bytesHex }), 'CallMismatch');
  refuseUnless(entry.feeUnits <= BigInt(feeCeilingUnits), 'FeeAboveApproved');
  refuseUnless(entry.feeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const message = Buffer.from(bytesHex.slice(2), 'hex');
  const digestHex = `0x${createHash('sha256').update(message).digest('hex')}`;
  const asked = { op: 'signPretence', order } as const;
  return { asked, network: network.name, signed: describe(order, entry.sequence), message, digestHex };
}
