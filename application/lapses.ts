import type { Never } from '../chains/types';
import { invariant } from '../domain/errors';
import type { Database } from '../entities/database';
import { feeSponsorStore } from '../entities/fee-sponsors/fee-sponsor.store';
import { laneStore } from '../entities/transfers/lane.store';
import type { OpenPayload } from '../entities/transfers/open-payloads';
import { payloadStore } from '../entities/transfers/payload.store';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { wakeLane } from './lanes';
import { freezeLooseKey } from './new-freezes';
import { ENDED, paymentOf, tellSettled } from './rivals';
import { emitTransfer } from './transfer-events';
import { giveBackUsage } from './usage';

const SENT_AFTER_ALL = 'The transaction that it was to cancel was sent after all, and this one was not carried out';

/**
 * Ends a transfer whose signed bytes can never get into a block, as the gateway has proved (S7). It is not built anew: another payload would share
 * nothing with this one that the chain lets only one of them use up, so that the proof alone would stand between one payment and two. Whoever still
 * wants it asks again. A transfer that is settled meanwhile stays as it is, and so does one whose rival is in a block: it is the rival's end that
 * ends it, and then nothing is foreign. Foreign bytes freeze the key (S18), but for those that were signed for a caller and are cancelled too late. Answers
 * how this has ended it.
 */
export async function endLapsed(
  db: Database,
  { orgId, id, transferId }: Pick<OpenPayload, 'orgId' | 'id' | 'transferId'>,
  { reason, isForeign }: Never,
): Promise<'Ended' | 'Foreign' | undefined> {
  return db.withOrg(orgId, async (tx) => {
    const rivals = await transferStore.lockRivals(tx, [transferId]);
    const row = rivals.find(({ id: rival }) => rival === transferId);
    invariant(row, 'the transfer of a payload is there');
    if (
      isForeign &&
      (await payloadStore.anyIncluded(
        tx,
        rivals.map((one) => one.id),
      ))
    )
      return undefined;
    const closed = await tx.query(
      `UPDATE payloads SET state = 'Final' WHERE org_id = $1 AND id = $2 AND state IN ('Signed', 'Broadcasted') RETURNING id`,
      [orgId, id],
    );
    if (closed.length === 0) return undefined;
    const isLate = rivals.some(({ cancelsSignatureId }) => cancelsSignatureId !== null);
    const ended = await transferStore.move(tx, row, 'Failed', { reason: isForeign && isLate ? SENT_AFTER_ALL : reason });
    await emitTransfer(tx, ended);
    // What a faster twin may still carry out stays counted.
    const payment = paymentOf(row, rivals);
    const isOpen = (one: TransferEntity) => one.id !== row.id && !ENDED.includes(one.state) && paymentOf(one, rivals) === payment;
    if (!rivals.some(isOpen)) await giveBackUsage(tx, payment);
    const isStranger = isForeign && !isLate;
    if (isStranger) await freezeLooseKey(tx, row);
    await laneStore.consume(tx, row.claimsOf ?? row.id);
    await tellSettled(tx, ended);
    await wakeLane(tx, { network: row.network, address: row.laneAddress }, 1);
    return isStranger ? 'Foreign' : 'Ended';
  });
}

/**
 * Freezes the key of a fee sponsor whose nonce was used up by bytes that were not signed here (S18). The request stays open, because its operation is
 * public and anybody may still have it carried out. Answers whether this is the first time that it is heard of this nonce: a freeze that people
 * have released does not come back for the same bytes.
 */
export async function noteLooseSponsor(
  db: Database,
  { orgId, id, transferId }: Pick<OpenPayload, 'orgId' | 'id' | 'transferId'>,
): Promise<boolean> {
  return db.withOrg(orgId, async (tx) => {
    const rivals = await transferStore.lockRivals(tx, [transferId]);
    const row = rivals.find((one) => one.id === transferId);
    invariant(row && row.feeSponsorId !== null, `the transfer of ${id} names who pays`);
    const transferIds = rivals.map((one) => one.id);
    if (!(await payloadStore.spentElsewhere(tx, id, transferIds))) return false;
    const sponsor = await feeSponsorStore.find(tx, row.feeSponsorId);
    invariant(sponsor, 'a fee sponsor stays');
    await freezeLooseKey(tx, row, sponsor.walletId);
    return true;
  });
}
