import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { keyStoresStore, type ReportedStores } from '../../entities/key-stores/key-stores.store';
import { keyStoreSnapshot } from './view';

/** Copies the signer's report to the rows, and emits an event for each changed store. Returns the number of changed stores. */
export async function seeKeyStores(tx: Tx, reported: ReportedStores): Promise<number> {
  const changed = await keyStoresStore.see(tx, reported);
  await eventStore.emitAll(
    tx,
    changed.map((store) => ({
      kind: 'keyStore.changed' as const,
      aggregateId: store.storeId,
      aggregateVersion: reported.n,
      data: { keyStore: keyStoreSnapshot(store) },
    })),
  );
  return changed.length;
}
