import type { Dispatcher } from '../../../application/dispatch/dispatcher';
import type { Network } from '../../../chains/types';
import { LANE, laneWorkflowId } from '../../../domain/lanes';
import type { Database } from '../../../entities/database';
import { laneCareStore } from '../../../entities/outgoing/lane-care.store';
import type { OpenPayload } from '../../../entities/outgoing/open-payloads';

type Dependencies = {
  readonly db: Database;
  readonly dispatcher: Pick<Dispatcher, 'tryNow'>;
  readonly network: Network;
};

/** Called at each poll with the payloads that no block contains. */
export type LaneCareRequests = (unmined: readonly OpenPayload[], height: number) => Promise<void>;

/**
 * A payload is treated as stuck once both limits have passed. By then a block has included any healthy transaction, even on a
 * network with fast blocks.
 */
const STILL_BLOCKS = 3;
const STILL_MS = 10_000;
/**
 * A request for care is repeated after this time, because the workflow of the lane (the sender's queue) may have ended, or the
 * first request may be lost.
 */
const CALL_AGAIN_MS = 60_000;
const PAYLOADS_MAX = 500;

type Seen = { readonly height: number; readonly atMs: number; calledMs: number };

/** Waiting times are kept only in memory, so a restart of the worker delays the request for care. */
export function createLaneCareRequests({ db, dispatcher, network }: Dependencies): LaneCareRequests {
  const seen = new Map<string, Seen>();

  return async (unmined, height) => {
    const now = performance.now();
    const ids = new Set(unmined.map(({ id }) => id));
    for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
    const still = new Map<string, string[]>();
    for (const { id, orgId, state } of unmined) {
      // Bytes that were never sent are left to the transfer's own workflow.
      if (state !== 'Broadcasted') continue;
      const one = seen.get(id) ?? { height, atMs: now, calledMs: Number.NEGATIVE_INFINITY };
      seen.set(id, one);
      const stands = height - one.height >= STILL_BLOCKS && now - one.atMs >= STILL_MS;
      const ofOrg = still.get(orgId) ?? [];
      if (!stands || now - one.calledMs < CALL_AGAIN_MS || ofOrg.length >= PAYLOADS_MAX) continue;
      one.calledMs = now;
      still.set(orgId, [...ofOrg, id]);
    }
    for (const [orgId, payloadIds] of still) {
      for (const address of await laneCareStore.sendersOf(db.read(orgId), payloadIds)) {
        const id = laneWorkflowId({ orgId, network: network.name, address });
        const routing = {
          workflow: LANE,
          again: 'true',
          network: network.name,
          address,
          summary: `Care of the lane of ${address}`,
        };
        // A lost request is repeated while a payload is stuck, so no outbox row is needed.
        await dispatcher.tryNow(orgId, { kind: 'start', aggregateId: id, dedupeKey: id, routing });
      }
    }
  };
}
