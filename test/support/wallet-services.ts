import { createWalletActivities } from '../../activities/wallets/wallets';
import type { Services } from '../../application/services';
import { createReaders } from '../../chains/readers';
import type { Database } from '../../entities/database';
import { createLogger } from '../../platform/logger';
import { createSecretBox } from '../../platform/secret-box';
import { CHANGES_CHANNEL, listenForChanges } from '../../platform/wait-for-change';
import { APPROVING } from './approving';
import { createTestDatabase, type TestDatabase } from './database';
import { type FakeNode, startFakeNode } from './fake-node';
import { startTestSigner, type TestSigner } from './signer';

export type WalletServices = {
  readonly database: TestDatabase;
  readonly signer: TestSigner;
  readonly node: FakeNode;
  readonly services: Services;
  readonly close: () => Promise<void>;
};

/** Wakes the requests that wait for the record, as the relay does after an event. */
export async function announceChange(db: Database, recordId: string): Promise<void> {
  await db.withOrg('', (tx) => tx.query('SELECT pg_notify($1, $2)', [CHANGES_CHANNEL, recordId]));
}

/** The services for the wallet use cases, with real rows and a real signer. This process carries out each start. */
export async function startWalletServices(): Promise<WalletServices> {
  const [database, signer, node] = await Promise.all([createTestDatabase(), startTestSigner(), startFakeNode()]);
  const { createWalletKey } = createWalletActivities({ ...APPROVING, db: database.db, signer: signer.client });
  const changes = listenForChanges(database.appUrl, createLogger('test', 'silent'));
  const carryOut = async (orgId: string, { aggregateId }: { readonly aggregateId: string }) => {
    await createWalletKey({ orgId, walletId: aggregateId });
    await announceChange(database.db, aggregateId);
  };
  const services = {
    db: database.db,
    readers: createReaders({ EthereumSepolia: [node.url] }),
    dispatcher: { carryOut, tryNow: carryOut, execute: () => Promise.reject(new Error('no workflow is executed here')) },
    changes,
    keyRequestSecrets: createSecretBox(Buffer.alloc(32), 'key-requests'),
    travelRuleSecrets: createSecretBox(Buffer.alloc(32), 'travel-rule'),
    webhookSecrets: createSecretBox(Buffer.alloc(32), 'webhook-secrets'),
    webhookTargets: { allowLoopback: false },
    ...APPROVING,
    integrationSecrets: createSecretBox(Buffer.alloc(32), 'integrations'),
  };
  return {
    database,
    signer,
    node,
    services,
    close: async () => {
      await changes.close();
      await Promise.all([database.close(), signer.close(), node.close()]);
    },
  };
}
