import { invariant } from '../domain/errors';
import type { Database } from '../entities/database';
import { outboxStore } from '../entities/outbox/outbox.store';
import { laneStore } from '../entities/transfers/lane.store';
import type { OpenPayload } from '../entities/transfers/open-payloads';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { TRANSFER_SIGNALS } from '../workflows/transfer.messages';
import { wakeLane } from './lanes';
import { ENDED, paymentOf } from './rivals';
import { emitTransfer } from './transfer-events';
import { giveBackUsage } from './usage';

/**
 * Ends a transfer whose signed bytes can never get into a block, as the gateway has proved (S7). It is not built anew: another payload would share
 * nothing with this one that the chain lets only one of them use up, so that the proof alone would stand between one payment and two. Whoever still
 * wants it asks again. A transfer that is settled meanwhile stays as it is.
 */
export async function endLapsed(db: Database, { orgId, id, transferId }: OpenPayload, reason: string): Promise<void> {
  await db.withOrg(orgId, async (tx) => {
    const rivals = await transferStore.lockRivals(tx, [transferId]);
    const row = rivals.find(({ id: rival }) => rival === transferId);
    invariant(row, 'the transfer of a payload is there');
    const closed = await tx.query(
      `UPDATE payloads SET state = 'Final' WHERE org_id = $1 AND id = $2 AND state IN ('Signed', 'Broadcasted') RETURNING id`,
      [orgId, id],
    );
    if (closed.length === 0) return;
    await emitTransfer(tx, await transferStore.move(tx, row, 'Failed', { reason }));
    // What a faster twin may still carry out stays counted.
    const payment = paymentOf(row, rivals);
    const isOpen = (one: TransferEntity) => one.id !== row.id && !ENDED.includes(one.state) && paymentOf(one, rivals) === payment;
    if (!rivals.some(isOpen)) await giveBackUsage(tx, payment);
    await laneStore.consume(tx, row.claimsOf ?? row.id);
    await outboxStore.add(tx, {
      kind: 'signal',
      aggregateId: transferId,
      dedupeKey: `settled:${transferId}`,
      routing: { signal: TRANSFER_SIGNALS.settled, argument: 'Failed' },
    });
    await wakeLane(tx, { network: row.network, address: row.fromAddress }, 1);
  });
}
