import { seeKeyStores } from '../../application/key-stores/see-key-stores';
import type { KeyStoreFacts } from '../../domain/key-stores';
import { sha256Hex } from '../../platform/digests';
import type { TestDatabase } from './database';

export const VAULT: KeyStoreFacts = {
  ...{ storeId: 'ks-00000-00000-0000000000000001', kind: 'OfflineSigner', name: 'Vault in the cellar' },
  ...{ state: 'Active', isPrimary: false },
};

let n = 0;
/** Copies these stores to the rows of the organisation, as the worker does after a report of the signer. */
export async function storeRows(
  database: Pick<TestDatabase, 'db'>,
  orgId: string,
  stores: readonly KeyStoreFacts[],
): Promise<void> {
  n += 1;
  await database.db.withOrg(orgId, (tx) => seeKeyStores(tx, { n, digest: sha256Hex(`${n}`), stores }));
}
