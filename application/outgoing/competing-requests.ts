import { TRANSFER_ENDS } from '../../domain/transfers';
import type { Tx } from '../../entities/database';
import { outboxStore } from '../../entities/outbox/outbox.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import { newId } from '../../platform/ids';
import { FREEZE_CHANGED } from '../../workflows/freeze.messages';
import { TRANSFER_SIGNALS } from '../../workflows/transfer.messages';
import { expireApproval } from '../approvals/ends';
import { giveBackSigned, giveBackUsage } from '../usage/usage';
import { emitTransfer, tellTransferResolved } from './events';

/** States in which the signer may have signed the bytes. */
export const MAYBE_SIGNED: readonly OutgoingEntity['state'][] = ['Signing', 'Signed', 'Broadcasted'];

/** The id of the request whose payment this row makes. A speed-up makes the payment of the original request. */
export function firstRequestOf(row: OutgoingEntity, rivals: readonly OutgoingEntity[]): string {
  const replaced = row.replacementKind === 'SpeedUp' ? rivals.find(({ id }) => id === row.replacesId) : undefined;
  return replaced === undefined ? row.id : firstRequestOf(replaced, rivals);
}

/**
 * Ends every open request that competed with the final transaction of `winner`. The caller has locked the rows of `rivals`,
 * which compete for the same claims. The payment of the winner stays counted in usage windows; all other payments leave the
 * windows (S9).
 */
export async function endCompetingRequests(tx: Tx, winner: OutgoingEntity, rivals: readonly OutgoingEntity[]): Promise<void> {
  const carriedOut = firstRequestOf(winner, rivals);
  for (const row of rivals) {
    if (row.id === winner.id || TRANSFER_ENDS.includes(row.state)) continue;
    await endFor(tx, row, `Replaced: ${winner.id} was included in its place as ${winner.txHash}`);
    if (row.id !== carriedOut) await (MAYBE_SIGNED.includes(row.state) ? giveBackSigned : giveBackUsage)(tx, row.id);
  }
}

/** The interface requires the signed bytes in the body of a sent replacement or child. */
export const sentBody = (
  { replacesId, cancelsSignatureId, paysForId, requestBody }: OutgoingEntity,
  rawHex: string | null,
): Partial<Pick<OutgoingEntity, 'requestBody'>> =>
  replacesId === null && cancelsSignatureId === null && paysForId === null
    ? {}
    : { requestBody: { ...requestBody, signedTx: rawHex } };

/**
 * Ends a locked row after another transaction has used up the row's claims. The caller updates the row's share of usage windows.
 */
export async function endFor(tx: Tx, row: OutgoingEntity, reason: string): Promise<void> {
  const ended = await outgoingStore.move(tx, row, 'Failed', { reason, waitingSince: null });
  await payloadStore.replaced(tx, row.id);
  await emitTransfer(tx, ended);
  if (row.state === 'Approved') await tellTransferResolved(tx, ended, 'Cleared');
  if (row.state === 'AwaitingApproval' && row.approvalId !== null) await expireApproval(tx, row.approvalId);
  await tellSettled(tx, ended);
  await wakeWherever(tx, row.id);
}

export async function tellSettled(tx: Tx, { id, version, state }: OutgoingEntity): Promise<void> {
  await outboxStore.add(tx, {
    kind: 'signal',
    aggregateId: id,
    dedupeKey: `settled:${id}:${version}`,
    routing: { signal: TRANSFER_SIGNALS.settled, argument: state },
  });
}

/** Wakes the workflow of a transfer, no matter for what the workflow waits. */
export async function wakeWherever(tx: Tx, transferId: string): Promise<void> {
  for (const signal of [TRANSFER_SIGNALS.approvalChanged, TRANSFER_SIGNALS.laneChanged, FREEZE_CHANGED]) {
    await outboxStore.add(tx, { kind: 'signal', aggregateId: transferId, dedupeKey: newId('outbox'), routing: { signal } });
  }
}
