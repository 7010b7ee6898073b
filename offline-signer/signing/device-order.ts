import type { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import type { SignRequest } from '../../platform/fleets/inputs';
import { isStated } from '../../platform/fleets/statement';
import { NOT_TRAVELLING, VOUCH_OPS, Vouch, type VouchOp } from '../../platform/fleets/vouches';
import { parseStrictJson } from '../../platform/strict-json';
import type { AskedOrder } from '../../signer/judging/people/asked-order';
import { VouchPayloadOrder, VouchSolanaOrder, VouchTransferOrder, VouchUtxoOrder } from '../../signer/orders/fleets/vouch-orders';
import { DeviceRefusal, refuseOnDeviceUnless } from './device-refusal';

/** The signer's order with the same members, and its form as it travels to the device. */
const TRAVELLING = {
  vouchTransfer: { op: 'signTransfer', order: VouchTransferOrder.omit(NOT_TRAVELLING) },
  vouchUtxo: { op: 'signUtxo', order: VouchUtxoOrder.omit(NOT_TRAVELLING) },
  vouchSolana: { op: 'signSolana', order: VouchSolanaOrder.omit(NOT_TRAVELLING) },
  vouchPayload: { op: 'signPayload', order: VouchPayloadOrder.omit(NOT_TRAVELLING) },
} as const satisfies Readonly<Record<VouchOp, { readonly op: AskedOrder['op']; readonly order: z.ZodObject }>>;

/** Throws a `DeviceRefusal` unless the text is the one canonical spelling of a value with this form. */
function readCanonical<S extends z.ZodType>(schema: S, text: string, fault: 'OrderMalformed' | 'VouchInvalid'): z.output<S> {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  const read = json.ok ? schema.safeParse(json.value) : undefined;
  if (!json.ok || !read?.success) throw new DeviceRefusal(fault);
  refuseOnDeviceUnless(canonical(json.value as never) === text, fault);
  return read.data;
}

/** What the input and the device state about the place of a request. */
export type Place = { readonly signerId: string; readonly orgId: string; readonly storeId: string; readonly groupId: string };

const isVouchOp = (op: string): op is VouchOp => (VOUCH_OPS as readonly string[]).includes(op);

/**
 * The order of a request as the signer judged it, at the time of the vouch. Throws a `DeviceRefusal` unless the pinned signer vouches for exactly this order.
 */
export function orderIn(
  request: SignRequest,
  place: Place,
  signerKey: string,
): { readonly asked: AskedOrder; readonly vouch: Vouch } {
  const { op, vouched, key } = request;
  const vouch = readCanonical(Vouch, vouched.vouch, 'VouchInvalid');
  refuseOnDeviceUnless(vouched.signed.by === signerKey && isStated('vouch', vouch, vouched.signed), 'VouchInvalid');
  refuseOnDeviceUnless(isVouchOp(op), 'NotOffline');
  const order = readCanonical(TRAVELLING[op].order, request.order, 'OrderMalformed');
  const { orgId, keyId, requestId, scheme, curve, publicKeyHex } = order;
  const isOfThis =
    vouch.op === op &&
    vouch.orderDigest === sha256Hex(request.order) &&
    vouch.signerId === place.signerId &&
    [vouch.orgId, orgId].every((one) => one === place.orgId) &&
    vouch.storeId === place.storeId &&
    vouch.groupId === place.groupId &&
    [vouch.requestId, requestId].every((one) => one === request.requestId) &&
    vouch.keyId === keyId &&
    vouch.publicKey === publicKeyHex;
  refuseOnDeviceUnless(isOfThis, 'VouchMismatch');
  refuseOnDeviceUnless(key.curve === curve && key.publicKey === publicKeyHex, 'KeyMismatch');
  const { scheme: _scheme, curve: _curve, publicKeyHex: _key, ...rest } = order;
  const moment = { issuedAt: vouch.dateVouched, notAfter: vouch.dateVouched };
  const sealed = { orgId, keyId, scheme, curve, publicKeyHex };
  return { asked: { op: TRAVELLING[op].op, order: { ...rest, ...moment, sealed } } as never, vouch };
}
