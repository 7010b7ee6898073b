import { randomBytes } from 'node:crypto';
import { createFreezeActivities } from '../../activities/freezes/freezes';
import { createKeyActivities } from '../../activities/keys/keys';
import { type Causes, createCauses } from '../../activities/outgoing/causes';
import { createJudgementActivities } from '../../activities/outgoing/judge';
import { createSignatureFillingActivities } from '../../activities/signatures/filling';
import { createSignatureJudgementActivities } from '../../activities/signatures/judge';
import { createSignatureSigningActivities } from '../../activities/signatures/sign';
import { createWalletActivities } from '../../activities/wallets/wallets';
import { createDeliverer } from '../../application/webhooks/delivery';
import { createReaders } from '../../chains/readers';
import { isId } from '../../domain/ids';
import type { Database } from '../../entities/database';
import { openSignerSwitchWriter } from '../../entities/deployment/signer-switch.store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { createLogger } from '../../platform/logger';
import { createSecretBox } from '../../platform/secret-box';
import { createFixedPrices } from '../../vendors/prices/fixed';
import { createRelay } from '../../worker/relay/relay';
import { TRANSFER_SIGNALS } from '../../workflows/transfer.messages';
import { joinStand, type Own, type Person, startApi, type TestApi } from './api';
import { APPROVING } from './approving';
import { createTestDatabase, type TestDatabase } from './database';
import { type FakeNode, startFakeNode } from './fake-node';
import { TEST_PRICES } from './prices';
import { startTestSigner, type TestSigner } from './signer';
import { WALLETS_ENV } from './stand';

/** Processes start slowly while other tests start processes too. */
export const START_LIMIT_MS = 120_000;

/** A wallet as the API returns it. */
export type WalletBody = {
  readonly id: string;
  readonly address: string;
  readonly signingKey: { readonly id: string; readonly publicKey: string };
  readonly tags: readonly string[];
  readonly externalId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

export type WalletApi = {
  readonly api: TestApi;
  readonly signer: TestSigner;
  readonly node: FakeNode;
  readonly orgId: string;
  /** The worker's reports about records without a proven cause. */
  readonly alarms: readonly string[];
  readonly causes: Causes;
  /** A person with all permissions. */
  readonly admin: Person;
  /** A person with all permissions in another organisation. */
  readonly stranger: Person;
  readonly createWallet: (body?: Readonly<Record<string, unknown>>) => Promise<WalletBody>;
  readonly close: () => Promise<void>;
};

/** Records the switches of the signer in the database, as a worker does at its start. */
export async function publishSwitches({ relayUrl }: TestDatabase, { client }: TestSigner): Promise<void> {
  const writer = openSignerSwitchWriter(relayUrl);
  await writer.write((await client.switches()).on);
  await writer.close();
}

async function startOwn(own: string, given?: TestDatabase) {
  const [database, node] = await Promise.all([given ?? createTestDatabase(), startFakeNode()]);
  const api = await startApi({ own, database, rpcUrls: { EthereumSepolia: [node.url] }, env: WALLETS_ENV });
  return { api, node, closeDatabase: database.close };
}

async function joinShared() {
  const api = await joinStand('wallets');
  return { api, node: await startFakeNode(api.nodePort), closeDatabase: () => Promise.resolve() };
}

type Given = {
  /** The database for an API process that only this test file uses. By default, a new database. */
  readonly database?: TestDatabase;
  /** The database that judges transfers, for a test that counts the queries of the judgement alone. */
  readonly judging?: Database;
};

/** The real API process with the relay and a signer. The test's own process carries out the work that Temporal would start. */
export async function startWalletApi({ own, database: given, judging }: Own & Given = {}): Promise<WalletApi> {
  const [{ api, node, closeDatabase }, signer] = await Promise.all([
    own === undefined ? joinShared() : startOwn(own, given),
    startTestSigner(),
  ]);
  const { database } = api;
  const { createWalletKey } = createWalletActivities({ ...APPROVING, db: database.db, signer: signer.client });
  const dataKek = Buffer.from(api.dataKek, 'hex');
  const keyRequestSecrets = createSecretBox(dataKek, 'key-requests');
  const alarms: string[] = [];
  const causes = createCauses(createSecretBox(dataKek, 'user-actions'), {
    refused: (table, { id }, reason) => void alarms.push(`${table} ${id} ${reason}`),
    earlier: (table, { id }) => void alarms.push(`${table} ${id} earlier`),
  });
  const { makeKey, carryOutKeyRequest } = createKeyActivities({
    ...{ ...APPROVING, db: database.db, signer: signer.client, keyRequestSecrets, causes },
  });
  const prices = createFixedPrices(TEST_PRICES);
  const { evaluateTransfer } = createJudgementActivities({ ...APPROVING, causes, db: judging ?? database.db, prices });
  const { evaluateSignature } = createSignatureJudgementActivities({ ...APPROVING, causes, db: database.db, prices });
  const { signPayload } = createSignatureSigningActivities({ ...APPROVING, causes, db: database.db, signer: signer.client });
  const { fillSignature } = createSignatureFillingActivities({
    ...APPROVING,
    db: database.db,
    readers: createReaders({ EthereumSepolia: [node.url] }),
  });
  const { applyFreeze } = createFreezeActivities({ ...APPROVING, db: database.db, signer: signer.client });
  const carryOut = async (orgId: string, { kind, aggregateId, routing }: Dispatch) => {
    if (isId('freeze', aggregateId) && kind !== 'event') await applyFreeze({ orgId, freezeId: aggregateId });
    // A confirmation of a possible duplicate and a decided approval send the same signal. Only the first one is carried out.
    if (kind === 'signal' && routing['signal'] === TRANSFER_SIGNALS.approvalChanged) {
      const row = await outgoingStore.find(database.db.read(orgId), aggregateId);
      if (row?.state === 'Requested') await evaluateTransfer({ orgId, transferId: aggregateId });
    }
    if (kind !== 'start') return;
    if (routing['workflow'] === 'createWallet') await createWalletKey({ orgId, walletId: aggregateId });
    if (routing['workflow'] === 'createKey') await makeKey({ orgId, keyId: aggregateId });
    if (routing['workflow'] === 'keyRequest') await carryOutKeyRequest({ orgId, requestId: aggregateId });
    if (routing['workflow'] === 'signature') {
      const ref = { orgId, signatureId: aggregateId };
      if ((await evaluateSignature(ref)).outcome !== 'Cleared') return;
      const signed = await signPayload(ref);
      if (typeof signed === 'object' && 'unfilledOn' in signed && (await fillSignature(ref)) === 'Filled') await signPayload(ref);
    }
    // Only the judgement of a transfer runs, no later step.
    if (routing['workflow'] === 'transfer') await evaluateTransfer({ orgId, transferId: aggregateId });
  };
  const relay = createRelay({
    relayUrl: database.relayUrl,
    dispatcher: { carryOut, tryNow: carryOut, execute: () => Promise.reject(new Error('no workflow is executed here')) },
    deliverer: createDeliverer({
      db: database.db,
      secrets: createSecretBox(randomBytes(32), 'webhook-secrets'),
      allowLoopback: false,
    }),
    logger: createLogger('relay', 'silent'),
    holderId: 'test',
  });
  relay.start();
  await publishSwitches(database, signer);
  const orgId = await database.createOrganization();
  const [admin, stranger] = [await api.createPerson(orgId), await api.createPerson(await database.createOrganization())];
  return {
    api,
    signer,
    node,
    orgId,
    alarms,
    causes,
    admin,
    stranger,
    createWallet: async (body = {}) => {
      const answer = await admin.client.change('POST', '/wallets', { network: 'EthereumSepolia', ...body });
      if (answer.status !== 200) throw new Error(`createWallet returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    close: async () => {
      await relay.stop();
      await api.close();
      await Promise.all([closeDatabase(), signer.close(), node.close()]);
    },
  };
}

/** The part of a refusal that tests compare. */
export const refusal = (status: number, id: string, details: object = {}) => ({
  status,
  body: { error: { id, status, message: expect.any(String), ...(Object.keys(details).length === 0 ? {} : { details }) } },
});

export const faultAt = (path: string) => ({ issues: expect.arrayContaining([expect.objectContaining({ path })]) });
