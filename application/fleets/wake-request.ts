import type { Tx } from '../../entities/database';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import { OFFLINE_CHANGED } from '../../workflows/offline.messages';

/** Wakes the workflow of a request that waits for a device. */
export const wakeRequest = (tx: Tx, requestId: string): Promise<void> =>
  outboxStore.add(tx, {
    ...{ kind: 'signal', aggregateId: requestId, dedupeKey: newId('outbox') },
    routing: { signal: OFFLINE_CHANGED },
  });
