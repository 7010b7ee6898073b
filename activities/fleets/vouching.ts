import { AppError, invariant } from '../../domain/errors';
import type { Database } from '../../entities/database';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import type { OfflineCustody } from '../../entities/keys/key-custody';
import type { FleetKey, SignRequest } from '../../platform/fleets/inputs';
import { travellingText, VOUCH_OPS, type VouchOp } from '../../platform/fleets/vouches';
import type { SignerClient } from '../../signer/protocol';
import { AtDevice, assertSame, contentDigestOf } from './offline-signer';
import type { OfflineSigning, SignOp } from './order-signer';

/** The room that a request reserves for its members beside the order. Most of it is for the vouch. */
export const REQUEST_OVERHEAD_BYTES = 8 * 1024;

export type Voucher = Pick<SignerClient, VouchOp>;
export type CarryingGroup = { readonly orgId: string; readonly storeId: string; readonly groupId: string };
/** The room that is left in the archive. */
export type Room = { bytes: number };

/** Undefined for an order whose claims an offline store cannot promise. */
const vouchOf = (op: SignOp): VouchOp | undefined => VOUCH_OPS.find((one) => one === op.replace(/^sign/, 'vouch'));

/**
 * Has the signer vouch for each order of the group's store, and adds the request to `carried`. An order that needs more room than
 * is left waits for the next group, and is not vouched for.
 */
export function vouching(
  { db, signer }: { readonly db: Database; readonly signer: Voucher },
  { orgId, storeId, groupId }: CarryingGroup,
  { room, carried }: { readonly room: Room; readonly carried: Map<string, SignRequest> },
): OfflineSigning {
  return async (asked, custody) => {
    const { order } = asked;
    const { requestId } = order;
    const op = vouchOf(asked.op);
    if (op === undefined) throw new AppError('SignerRefused', 'An offline store cannot sign this', { nothingSigned: true });
    invariant(order.orgId === orgId && custody.storeId === storeId, `${requestId} is of the store of ${groupId}`);
    const known = await offlineRequestStore.find(db.read(orgId), requestId);
    invariant(known, `${requestId} waits for a device`);
    assertSame(known, { op: asked.op, keyId: custody.keyId, storeId, contentDigest: contentDigestOf(asked) });
    const key = await poolKeyOf(db, orgId, custody);
    const { publicKeyHex, form } = custody;
    const whole = { ...order, publicKeyHex, ...form, store: { storeId, groupId } };
    const text = travellingText(whole);
    const bytes = Buffer.byteLength(JSON.stringify(text)) + REQUEST_OVERHEAD_BYTES;
    if (known.signatures !== null || bytes > room.bytes) throw new AtDevice(requestId);
    room.bytes -= bytes;
    const ask: (whole: never) => ReturnType<Voucher[VouchOp]> = (all) => signer[op](all);
    const { vouched, digestHex, messages } = await ask(whole as never);
    room.bytes -= Math.max(0, Buffer.byteLength(JSON.stringify(vouched)) - REQUEST_OVERHEAD_BYTES);
    const row = { groupId, vouchedOrder: text, digestHex, messages };
    const operationId = await db.withOrg(orgId, (tx) => offlineRequestStore.carry(tx, requestId, row));
    carried.set(requestId, { operationId, requestId, op, key, order: text, vouched });
    throw new AtDevice(requestId);
  };
}

async function poolKeyOf(db: Database, orgId: string, { keyId, publicKeyHex }: OfflineCustody): Promise<FleetKey> {
  const found = await fleetKeyStore.ofKey(db.read(orgId), keyId);
  invariant(found?.publicKey === publicKeyHex, `${keyId} is a key of the pool`);
  const { curve, index, publicKey } = found;
  return { curve, index, publicKey };
}
