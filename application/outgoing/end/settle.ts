import type { Receipt } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import type { Database, Tx } from '../../../entities/database';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import type { OpenPayload } from '../../../entities/outgoing/open-payloads';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../../entities/outgoing/payload.store';
import { freezeCompromisedKey } from '../../freezes/put-freeze';
import { giveBackSigned } from '../../usage/usage';
import { endCompetingRequests, firstRequestOf, sentBody, tellSettled } from '../competing-requests';
import { emitTransfer } from '../events';
import { familyOf } from '../families';
import { wakeForFunds, wakeLane } from '../lanes/wake-lanes';

export type Found = { readonly payload: OpenPayload; readonly receipt: Receipt };

export async function markIncluded(db: Database, orgId: string, found: readonly Found[]): Promise<void> {
  await db.withOrg(orgId, async (tx) => {
    const marked = await payloadStore.included(
      tx,
      found.map(({ payload, receipt }) => ({ id: payload.id, receipt })),
    );
    const isNew = new Set(found.filter(({ payload }) => payload.state !== 'Included').map(({ payload }) => payload.id));
    const freed = new Map<string, { readonly network: NetworkName; readonly address: string; places: number }>();
    for (const { network, address } of marked.filter((one) => familyOf(one.network).freesAtInclusion && isNew.has(one.id))) {
      const lane = freed.get(address) ?? { network, address, places: 0 };
      lane.places += 1;
      freed.set(address, lane);
    }
    for (const [, { places, ...lane }] of [...freed].sort(([a], [b]) => (a < b ? -1 : 1))) await wakeLane(tx, lane, places);
  });
}

/** Reopens payloads whose block a reorg has removed. */
export async function markDropped(db: Database, orgId: string, dropped: readonly OpenPayload[]): Promise<void> {
  const ids = dropped.map(({ id }) => id);
  await db.withOrg(orgId, (tx) => payloadStore.dropped(tx, ids));
}

/**
 * Ends the transfers of final payloads. `contradicting` are the payloads whose receipt contradicts the result that was recorded
 * for the same block; these payloads stay unchanged. `foreign` are the transfers that lost to an operation which this service
 * did not sign.
 */
export async function settle(
  db: Database,
  orgId: string,
  network: NetworkName,
  found: readonly Found[],
): Promise<{ readonly contradicting: readonly Found[]; readonly foreign: readonly string[] }> {
  return db.withOrg(orgId, async (tx) => {
    const contradicting: Found[] = [];
    const foreign: string[] = [];
    const lanes = new Map<string, number>();
    // Locks the transfers before their payloads, as a sender does. The opposite order could deadlock.
    const locked = await outgoingStore.lockRivals(
      tx,
      found.map(({ payload }) => payload.transferId),
    );
    const ended = new Set<string>();
    for (const one of [...found].sort((a, b) => (a.payload.transferId < b.payload.transferId ? -1 : 1))) {
      const row = locked.find(({ id }) => id === one.payload.transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId: one.payload.transferId });
      const root = row.claimsOf ?? row.id;
      // Only one of several rival payloads can be in the chain. A second payload that a node reports is ignored.
      if (ended.has(root)) continue;
      const rivals = locked.filter(({ id, claimsOf }) => id === root || claimsOf === root);
      const end = await settleOne(tx, row, rivals, one);
      if (end === 'Contradicts') contradicting.push(one);
      if (end === 'Foreign') foreign.push(row.id);
      if (end !== 'Settled' && end !== 'Foreign') continue;
      ended.add(root);
      for (const address of new Set([row.laneAddress, row.fromAddress])) lanes.set(address, (lanes.get(address) ?? 0) + 1);
    }
    // If `freesAtInclusion` is true, an included payload has already freed its place, and only the reserved funds become free
    // now.
    const isGivenAway = familyOf(network).freesAtInclusion && found.every(({ payload }) => payload.state === 'Included');
    for (const [address, settled] of [...lanes].sort(([a], [b]) => (a < b ? -1 : 1)))
      await (isGivenAway ? wakeForFunds : wakeLane)(tx, { network, address }, settled);
    return { contradicting, foreign };
  });
}

/**
 * `Foreign` means that the transfer lost to an operation which this service did not sign. `Contradicts` means that the receipt
 * contradicts the recorded result. Returns undefined if another process has already settled the payload.
 */
async function settleOne(
  tx: Tx,
  locked: OutgoingEntity,
  rivals: readonly OutgoingEntity[],
  { payload, receipt }: Found,
): Promise<'Settled' | 'Foreign' | 'Contradicts' | undefined> {
  let row = locked;
  const closed = await payloadStore.final(tx, payload.id, receipt);
  if (!closed) return (await payloadStore.isOpen(tx, payload.id)) ? 'Contradicts' : undefined;
  const { now, paid } = closed;
  if (row.state === 'Signed') {
    // The event of the broadcast must come before the event of the end.
    const isNamed = row.replacesId !== null || row.cancelsSignatureId !== null || row.paysForId !== null;
    const raw = isNamed ? await payloadStore.of(tx, row.id) : undefined;
    row = await outgoingStore.move(tx, row, 'Broadcasted', { dateBroadcasted: now, ...sentBody(row, raw?.rawHex ?? null) });
    await emitTransfer(tx, row);
  }
  if (receipt.instead !== undefined) {
    return settleInstead(tx, row, rivals, { receipt, now, paid });
  }
  const end = receipt.success ? 'Confirmed' : 'Failed';
  row = await outgoingStore.move(tx, row, end, {
    feeUnits: paid,
    dateConfirmed: receipt.success ? now : null,
    reason: receipt.success ? null : 'The transaction was included and reverted',
    ...(receipt.carriedOutBy === undefined ? {} : { txHash: receipt.carriedOutBy }),
  });
  await noteSponsoredFee(tx, row, receipt, now);
  await emitTransfer(tx, row);
  await laneStore.consumeShared(tx, row.claimsOf ?? row.id, row.id);
  await tellSettled(tx, row);
  await endCompetingRequests(tx, row, rivals);
  return 'Settled';
}

const OPERATION_LOST =
  'The transaction was included but executed nothing: another operation had already used the nonce of its operation';

/**
 * Ends an operation that lost: another operation with the same nonce was executed. The entry point contract accepts each nonce
 * only once, so no operation was executed twice. Returns `Foreign` if the winner is not an operation of this service: the
 * wallet's key is then compromised (S18).
 */
async function settleInstead(
  tx: Tx,
  lost: OutgoingEntity,
  rivals: readonly OutgoingEntity[],
  { receipt, now, paid }: { readonly receipt: Receipt; readonly now: Date; readonly paid: string },
): Promise<'Settled' | 'Foreign'> {
  const { instead, carriedOutBy: txHash } = receipt;
  const failed = await outgoingStore.move(tx, lost, 'Failed', { feeUnits: paid, reason: OPERATION_LOST });
  await noteSponsoredFee(tx, failed, receipt, now);
  await emitTransfer(tx, failed);
  await tellSettled(tx, failed);
  const others = rivals.filter(({ id }) => id !== lost.id);
  const winnerId = await payloadStore.ofOperation(
    tx,
    others.map(({ id }) => id),
    instead?.operationHash ?? '',
  );
  const won = others.find(({ id, state }) => id === winnerId && (state === 'Broadcasted' || state === 'Signed'));
  await laneStore.consumeShared(tx, lost.claimsOf ?? lost.id, won?.id ?? lost.id);
  if (won === undefined) {
    await giveBackSigned(tx, lost.id);
    await endCompetingRequests(tx, failed, rivals);
    if (winnerId !== undefined) return 'Settled';
    await freezeCompromisedKey(tx, lost);
    return 'Foreign';
  }
  const end = instead?.success
    ? ({ state: 'Confirmed', reason: null, dateConfirmed: now } as const)
    : ({ state: 'Failed', reason: 'The transaction was included and reverted', dateConfirmed: null } as const);
  const { reason, dateConfirmed } = end;
  const ended = await outgoingStore.move(tx, won, end.state, { reason, dateConfirmed, ...(txHash ? { txHash } : {}) });
  await payloadStore.replaced(tx, won.id);
  await emitTransfer(tx, ended);
  await tellSettled(tx, ended);
  if (lost.id !== firstRequestOf(ended, rivals)) await giveBackSigned(tx, lost.id);
  await endCompetingRequests(tx, ended, [...others, failed]);
  return 'Settled';
}

/** The sponsor pays for every included transaction, even for a transaction whose operation failed. */
async function noteSponsoredFee(tx: Tx, row: OutgoingEntity, { feeUnits }: Receipt, dateConfirmed: Date): Promise<void> {
  const { id: requestId, feeSponsorId, walletId: sponsoreeId, dateRequested } = row;
  if (feeSponsorId === null) return;
  const paid = { requestId, feeSponsorId, sponsoreeId, feeUnits: feeUnits?.toString() ?? null, dateRequested, dateConfirmed };
  await feeSponsorStore.addFee(tx, paid);
}
