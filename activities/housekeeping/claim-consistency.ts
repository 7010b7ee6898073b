import { wakeLane } from '../../application/outgoing/lanes/wake-lanes';
import type { DutyResult } from '../../domain/housekeeping';
import type { ClaimFault } from '../../entities/housekeeping/housekeeping.store';
import { laneStore } from '../../entities/outgoing/lane.store';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import { type DutyParts, ROWS_MAX } from './duty';

/** Finds claims and transfers that contradict each other. */
export function createClaimDuty({ db, housekeeping, logger }: DutyParts) {
  /**
   * Marks the claim as consumed if the transfer is `Confirmed` or `Failed` and its payload is final. Never releases a claim,
   * because a release would permit a second payload for the nonce.
   */
  const repair = async ({ orgId, transferId }: ClaimFault): Promise<boolean> =>
    db.withOrg(orgId, async (tx) => {
      const row = await outgoingStore.lock(tx, transferId);
      const payload = await payloadStore.of(tx, transferId);
      if ((row.state !== 'Confirmed' && row.state !== 'Failed') || payload?.state !== 'Final') return false;
      const consumed = await laneStore.consume(tx, transferId);
      if (consumed > 0) await wakeLane(tx, { network: row.network, address: row.laneAddress }, consumed);
      return consumed > 0;
    });

  return async (): Promise<DutyResult> => {
    const faults = await housekeeping.claimFaults(ROWS_MAX);
    for (const fault of faults) {
      const { orgId, id, transferId, network, transferState, payloadState, claimState } = fault;
      const reason = `claim ${claimState ?? 'missing'}, transfer ${transferState}, payload ${payloadState ?? 'missing'}`;
      const line = { orgId, recordId: transferId, network, names: [id], reason };
      if (payloadState === 'Final' && (await repair(fault)))
        logger.warn(line, 'a nonce that the chain has used was still claimed');
      else logger.error(line, 'a nonce claim contradicts its transfer: compare both with the chain before anything is changed');
    }
    return { looked: faults.length, done: faults.length };
  };
}
