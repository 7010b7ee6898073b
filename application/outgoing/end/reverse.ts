import type { Database, Tx } from '../../../entities/database';
import { outboxStore } from '../../../entities/outbox/outbox.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import type { FinalPayload } from '../../../entities/outgoing/open-payloads';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../../entities/outgoing/payload.store';
import { newId } from '../../../platform/ids';
import { countAgain } from '../../usage/usage';
import { firstRequestOf } from '../competing-requests';
import { emitReversed } from '../events';

const TAKEN_BACK =
  'A reorganisation removed its final block from the chain; the same bytes are sent again and may be included again';
const TAKEN_FROM_OTHERS =
  'A reorganisation removed the final block in which another party had executed this operation; anyone may still execute it again';

/**
 * Reopens ended requests after a reorg that was deeper than finality (S14). Each transfer is pending again with the same bytes
 * and claims. A rival, which competes for the same claims, may now win. The rivals are therefore reopened too, and are counted
 * again in usage windows (S9). Nothing is signed, because a second payload could pay twice. Returns the ids of all reopened
 * requests. A request whose bytes are now in another block is not reopened.
 */
export async function reverse(db: Database, orgId: string, undone: readonly FinalPayload[]): Promise<readonly string[]> {
  return db.withOrg(orgId, async (tx) => {
    const locked = await outgoingStore.lockRivals(
      tx,
      undone.map(({ transferId }) => transferId),
    );
    const reopened: string[] = [];
    for (const { id, transferId, txHash, operationHash, includedHash } of undone) {
      const row = locked.find((one) => one.id === transferId);
      if (!row || !(await payloadStore.reopened(tx, id, includedHash))) continue;
      await reopen(tx, row, txHash, row.txHash === txHash ? TAKEN_BACK : TAKEN_FROM_OTHERS);
      // A request whose operation lost to another operation gave back its share of usage windows, so the share is counted again.
      const hadLost = operationHash !== null && row.state === 'Failed';
      if (hadLost && firstRequestOf(row, locked) === row.id) await countAgain(tx, row);
      reopened.push(row.id);
      const root = row.claimsOf ?? row.id;
      await laneStore.takeAgain(tx, root, row.id);
      for (const rival of locked.filter((one) => one.id !== row.id && (one.id === root || one.claimsOf === root))) {
        const rivalHash = await payloadStore.unreplaced(tx, rival);
        if (rivalHash === undefined) continue;
        await reopen(tx, rival, rivalHash, rival.state === 'Confirmed' ? TAKEN_FROM_OTHERS : null);
        if (firstRequestOf(rival, locked) === rival.id) await countAgain(tx, rival);
        reopened.push(rival.id);
      }
    }
    return reopened;
  });
}

/** Stores the new block of a final payload after a reorg. */
export async function moveFinal(db: Database, payload: FinalPayload, to: { readonly height: number; readonly hash: string }) {
  await db.withOrg(payload.orgId, (tx) => payloadStore.movedFinal(tx, payload, to));
}

async function reopen(tx: Tx, row: OutgoingEntity, txHash: string, reason: string | null): Promise<void> {
  await emitReversed(tx, await outgoingStore.reverse(tx, row, txHash, reason));
  // The new workflow neither judges nor builds the prepared transfer: the workflow only waits for the chain.
  await outboxStore.add(tx, {
    kind: 'start',
    aggregateId: row.id,
    dedupeKey: `again:${newId('outbox')}`,
    routing: {
      workflow: 'transfer',
      walletId: row.walletId,
      network: row.network,
      summary: `Transfer on ${row.network} from wallet ${row.walletId}, open again after a reorganisation`,
      prepared: 'true',
      again: 'true',
    },
  });
}
