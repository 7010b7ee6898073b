import { freezeOfRequest } from '../../../application/freezes/active-freezes';
import { endExpired } from '../../../application/outgoing/end/expired-transfers';
import type { Gateway } from '../../../chains/types';
import type { Database } from '../../../entities/database';
import type { OpenPayload } from '../../../entities/outgoing/open-payloads';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import type { LaneCareRequests } from '../lanes/request-lane-care';
import { tellCompromisedSponsor } from './compromised-sponsors';
import type { OnAlarm } from './follower';

type Dependencies = {
  readonly db: Database;
  readonly gateway: Gateway;
  readonly onAlarm: OnAlarm;
  readonly callForCare: LaneCareRequests | undefined;
};

const RESEND_AFTER_MS = 10_000;
const RESEND_MAX = 50;

async function isFrozen(db: Database, { orgId, transferId }: OpenPayload): Promise<boolean> {
  const reader = db.read(orgId);
  const row = await outgoingStore.find(reader, transferId);
  return row !== undefined && (await freezeOfRequest(reader, row)) !== undefined;
}

/**
 * Sends dropped bytes again. Ends requests whose bytes can never get into a block. A sponsored request stays open while a third
 * party may still send its user operation.
 */
export function createResender({ db, gateway, onAlarm, callForCare }: Dependencies) {
  let resentAt = 0;
  let resentLast = '';

  const sendAgain = async (lost: readonly OpenPayload[]): Promise<void> => {
    // Bytes that a node never accepts must not hold up other bytes, so each round begins where the last round ended.
    const inTurn = [...lost.filter(({ id }) => id > resentLast), ...lost.filter(({ id }) => id <= resentLast)];
    for (const payload of inTurn.slice(0, RESEND_MAX)) {
      resentLast = payload.id;
      if (await gateway.isKnown(payload.txHash)) continue;
      const row = await db.read(payload.orgId).row(PayloadEntity, 'WHERE t.id = $1', [payload.id]);
      if (!row || row.rawHex === null || row.dateSpentElsewhere !== null) continue;
      const never = await gateway.whyNever?.({ ...row, txHash: payload.txHash, rawHex: row.rawHex });
      if (never !== undefined) {
        const isNew =
          row.operationHash === null
            ? (await endExpired(db, payload, never)) === 'Foreign'
            : never.isForeign && (await tellCompromisedSponsor({ db, gateway }, payload, row));
        if (isNew) onAlarm('SpentElsewhere', [payload.transferId]);
      } else if (payload.state !== 'Signed' && !(await isFrozen(db, payload))) {
        // Bytes that were never sent are left to the transfer's own workflow.
        await gateway.broadcast(row.rawHex, payload.txHash);
      }
    }
  };

  return {
    isDue: (): boolean => performance.now() - resentAt > RESEND_AFTER_MS,

    /** Records the time first, because a failing node must not be queried at every poll. */
    async resend(lost: readonly OpenPayload[], height: number): Promise<void> {
      resentAt = performance.now();
      await callForCare?.(lost, height);
      await sendAgain(lost);
    },
  };
}
