import { sentBody } from '../../application/outgoing/competing-requests';
import { emitTransfer } from '../../application/outgoing/events';
import { wakeLane } from '../../application/outgoing/lanes/wake-lanes';
import type { createGateways } from '../../chains/gateways';
import { AppError, invariant } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import type { Database } from '../../entities/database';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import { asking } from '../../platform/points';
import { notingTransfer } from './blockers';
import { familyStepsOf } from './families';
import { frozenBefore } from './frozen-steps';
import { transferRecords } from './records';

type Dependencies = { readonly db: Database; readonly gateways: ReturnType<typeof createGateways> };

export function createBroadcastActivities({ db, gateways }: Dependencies) {
  return {
    /**
     * Sends the stored bytes, and never other bytes, until a node has the transaction. An unclear reply is retried and never
     * ends the transfer, because only a block decides the outcome of a signed transaction. If the transfer is frozen, sends
     * nothing and returns the freeze.
     */
    broadcastTransfer: notingTransfer(db, async ({ orgId, transferId }): Promise<Frozen | undefined> => {
      const reader = db.read(orgId);
      const [row, payload] = await Promise.all([outgoingStore.find(reader, transferId), payloadStore.of(reader, transferId)]);
      if (row?.state !== 'Signed') return undefined;
      const frozen = await frozenBefore(db, orgId, transferRecords, row);
      if (frozen) return frozen;
      invariant(payload?.rawHex && payload.txHash, `the signed bytes of ${transferId} exist`);
      const { rawHex, txHash } = payload;
      const gateway = gateways(row.network);
      const outcome = await asking('broadcast', () => gateway.broadcast(rawHex, txHash));
      const sent = outcome === 'Accepted' || outcome === 'AlreadyKnown' || (await gateway.isKnown(txHash));
      if (!sent) {
        const word = typeof outcome === 'string' ? outcome : outcome.reason;
        throw new AppError('NetworkUnavailable', `The network does not accept the transaction yet: ${word}`);
      }
      await db.withOrg(orgId, async (tx) => {
        const [locked, dateBroadcasted] = await Promise.all([
          outgoingStore.lock(tx, transferId),
          payloadStore.sent(tx, payload.id),
        ]);
        if (locked.state !== 'Signed') return;
        const told = sentBody(locked, rawHex);
        await emitTransfer(tx, await outgoingStore.move(tx, locked, 'Broadcasted', { dateBroadcasted, ...told }));
        // The change of this transaction can be spent from now on, and other requests may be waiting for the change.
        const lane = { network: row.network, address: row.fromAddress };
        if (familyStepsOf(row.network).changeIsFreeOnceSent) await wakeLane(tx, lane, 1);
      });
      return undefined;
    }),
  };
}
