import { seeKeyStores } from '../../application/key-stores/see-key-stores';
import { SOFTWARE_STORE } from '../../domain/key-stores';
import type { Database } from '../../entities/database';
import { fleetStore } from '../../entities/fleets/fleet.store';
import { fleetGroupStore, type NewFleetGroup } from '../../entities/fleets/fleet-group.store';
import { newId } from '../../platform/ids';
import type { Actor } from './actor';

/** Inserts offline stores beside the software store, as the worker copies them from the signer. */
export const addOfflineStores = (db: Database, orgId: string, storeIds: readonly string[], reviewers = 1): Promise<unknown> =>
  db.withOrg(orgId, (tx) =>
    seeKeyStores(tx, {
      ...{ n: 1, digest: '0'.repeat(64) },
      stores: [
        SOFTWARE_STORE,
        ...storeIds.map(
          (storeId) => ({ storeId, kind: 'OfflineSigner', name: 'Vault', state: 'Active', isPrimary: false, reviewers }) as const,
        ),
      ],
    }),
  );

/** Inserts a fleet without a manifest, unless the store has one, and an open group. Returns the id of the group. */
export async function addGroup(
  db: Database,
  { caller, authority }: Pick<Actor, 'caller' | 'authority'>,
  storeId: string,
  more: Partial<NewFleetGroup> = {},
): Promise<{ readonly id: string; readonly added: boolean }> {
  const { action } = await authority();
  const id = newId('fleetGroup');
  const added = await db.withOrg(caller.orgId, async (tx) => {
    await fleetStore.ensure(tx, { id: newId('fleet'), storeId, label: 'Vault' });
    const group: NewFleetGroup = {
      ...{ id, storeId, kind: 'Genesis', task: {}, manifestBefore: null, abandons: [] },
      ...{ createdBy: caller.userId, createdActionId: action?.id ?? '', endsAt: new Date(Date.now() + 86_400_000) },
      ...more,
    };
    return fleetGroupStore.add(tx, group, [{ id: newId('fleetOperation'), kind: group.kind, subjectId: null }]);
  });
  return { id, added };
}
