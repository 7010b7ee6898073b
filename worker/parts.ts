import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { createBlockShelves } from '../activities/block-shelves';
import { createCauses } from '../activities/outgoing/causes';
import type { OnAltered } from '../application/approvals/what-was-approved';
import { createRestoreLock, type RestoreLockStatus } from '../application/deployment/restore-lock';
import { createDispatcher } from '../application/dispatch/dispatcher';
import { recordWords } from '../application/dispatch/start-words';
import { workflowStatusOver } from '../application/dispatch/workflow-status';
import { createDeliverer } from '../application/webhooks/delivery';
import { createGateways } from '../chains/gateways';
import { applySettings, encryptionAccessIn } from '../chains/network-settings';
import { assertChainIds, enabledNetworks, networkOf } from '../chains/networks';
import { createReaders } from '../chains/readers';
import { createScanSources, scannedNetworks } from '../chains/scan-sources';
import type { OnRpcCall } from '../chains/types';
import { AppError } from '../domain/errors';
import { openStrongroomDatabase } from '../entities/data-source';
import type { Database } from '../entities/database';
import { backupNoteStore } from '../entities/deployment/backup-note.store';
import { deploymentStore } from '../entities/deployment/deployment.store';
import { openSignerSwitchWriter } from '../entities/deployment/signer-switch.store';
import { type BacklogStore, openBacklogStore } from '../entities/housekeeping/backlog.store';
import { type HousekeepingStore, openHousekeepingStore } from '../entities/housekeeping/housekeeping.store';
import { openPayloadsOver } from '../entities/outgoing/open-payloads';
import { openWatchList } from '../entities/scans/watch-list';
import { createWitness } from '../platform/checkpoint-witness';
import type { Logger } from '../platform/logger';
import { createMailer } from '../platform/mailer';
import type { Source } from '../platform/metrics';
import { poolsSource } from '../platform/metrics-sources';
import { createSecretBox } from '../platform/secret-box';
import { createSignerClient } from '../signer/client';
import type { SignerClient } from '../signer/protocol';
import { configuredPrices } from '../vendors/prices/configured';
import type { WorkerConfig } from './config';
import { stepContext } from './interceptors/context';
import { createWorkerMetrics } from './metrics';
import {
  backlogSource,
  backupSource,
  diskSource,
  freezeSource,
  relaySource,
  signerSource,
  witnessSource,
  workerCertificates,
} from './metrics-sources';
import { createRelay } from './relay/relay';

export type Parts = Awaited<ReturnType<typeof openParts>>;

async function openChains(
  { NETWORK_RPC_URLS: urls, NETWORK_SETTINGS: settings }: WorkerConfig,
  onCall: OnRpcCall,
  logger: Logger,
) {
  const enabled = enabledNetworks(urls);
  applySettings(urls, settings);
  const readers = createReaders(urls, onCall, settings);
  const gateways = createGateways(urls, onCall, settings);
  // Checks each network separately: a network that is down must not hide that another network's node is on the wrong chain.
  const checks = enabled.map((network) =>
    assertChainIds([network], readers).catch((error: unknown) => {
      // A node that is down only delays the work that needs this node. A node of the wrong chain must never be used.
      if (!(error instanceof AppError) || error.code !== 'NetworkUnavailable') throw error;
      logger.warn({ err: error, network: network.name }, 'a network does not answer yet');
    }),
  );
  await Promise.all(checks);
  return {
    networks: enabled.map(({ name }) => name),
    scanned: scannedNetworks(urls),
    scanSources: createScanSources(urls, onCall, settings),
    blockShelves: createBlockShelves(),
    readers,
    gateways,
  };
}

type Chains = Awaited<ReturnType<typeof openChains>>;

async function openStores({ DATABASE_URL, DATABASE_POOL_MAX, RELAY_DATABASE_URL }: WorkerConfig) {
  const db = await openStrongroomDatabase({
    url: DATABASE_URL,
    poolMax: DATABASE_POOL_MAX,
    applicationName: 'strongroom-worker',
  });
  return {
    db,
    openPayloads: openPayloadsOver(RELAY_DATABASE_URL),
    watchList: openWatchList(RELAY_DATABASE_URL),
    housekeeping: openHousekeepingStore(RELAY_DATABASE_URL),
    backlog: openBacklogStore(RELAY_DATABASE_URL),
    switchWriter: openSignerSwitchWriter(RELAY_DATABASE_URL),
  };
}

const secretBoxes = ({ DATA_KEK }: WorkerConfig) => ({
  keyRequestSecrets: createSecretBox(DATA_KEK, 'key-requests'),
  travelRuleSecrets: createSecretBox(DATA_KEK, 'travel-rule'),
  integrationSecrets: createSecretBox(DATA_KEK, 'integrations'),
  mailContents: createSecretBox(DATA_KEK, 'mails'),
});

const settingsOf = (config: WorkerConfig) => ({
  vendorUrls: config.VENDOR_URLS,
  encryptionAccess: encryptionAccessIn(config.NETWORK_SETTINGS),
  publicUrl: config.PUBLIC_URL,
  pageUrl: config.PUBLIC_URL === undefined ? undefined : new URL('/sign-in', config.PUBLIC_URL).href,
  outboxRetentionDays: config.OUTBOX_RETENTION_DAYS,
  witness: config.CHECKPOINT_WITNESS === undefined ? undefined : createWitness(config.CHECKPOINT_WITNESS),
  filledNonceLapsesAfterMs: config.FILLED_NONCE_LAPSES_AFTER_SECONDS * 1_000,
  priceAgeMaxMs: config.PRICE_AGE_MAX_SECONDS * 1_000,
});

function openMailer({ SMTP_URL, MAIL_FROM, NODE_ENV }: WorkerConfig, logger: Logger) {
  if (SMTP_URL === undefined) logger.warn('no mail server is configured (SMTP_URL): mails wait');
  return createMailer(SMTP_URL, MAIL_FROM, NODE_ENV === 'production');
}

const alteredAlarm =
  (logger: Logger, count: () => void): OnAltered =>
  ({ orgId, id: activityId }, reason) => {
    logger.error(
      { orgId, activityId, reason },
      'a request is not what was judged or approved: another party may be writing to the database',
    );
    count();
  };

type Checked = Chains & { readonly client: Client; readonly db: Database; readonly signer: SignerClient };

const healthChecks = ({ client, db, signer, networks, readers }: Checked) => ({
  database: () => db.ping(),
  temporal: () => client.workflowService.getSystemInfo({}),
  signer: () => signer.health(),
  ...Object.fromEntries(networks.map((name) => [`network ${name}`, () => assertChainIds([networkOf(name)], readers)])),
});

type Scraped = Pick<Checked, 'db' | 'signer' | 'networks'> & {
  readonly backlog: BacklogStore;
  readonly housekeeping: HousekeepingStore;
  readonly freeze: RestoreLockStatus;
  readonly relay: ReturnType<typeof createRelay>;
};

const sourcesOf = (
  config: WorkerConfig,
  { db, backlog, housekeeping, networks, freeze, signer, relay }: Scraped,
): readonly Source[] => [
  backlogSource(backlog, networks),
  freezeSource(freeze),
  // The backup row does not belong to an organisation, so the query does not specify one.
  backupSource(() => backupNoteStore.ageSeconds(db.read(''))),
  // Without a witness (a place outside the service), every checkpoint would be counted as waiting.
  ...(config.CHECKPOINT_WITNESS === undefined ? [] : [witnessSource(housekeeping.unwitnessedSeconds)]),
  signerSource(signer),
  diskSource(signer),
  workerCertificates(signer, config.signerPlace, config.temporal),
  relaySource(relay),
  poolsSource(db.pools),
];

export async function openParts(config: WorkerConfig, client: Client, logger: Logger) {
  const watched = createWorkerMetrics(logger);
  const chains = await openChains(config, watched.onRpcCall, logger);
  const { networks } = chains;
  const stores = await openStores(config);
  const { db } = stores;
  const signer = watched.measured(
    createSignerClient({
      place: config.signerPlace,
      authKey: config.SIGNER_AUTH,
      timeoutMs: config.SIGNER_TIMEOUT_MS,
    }),
  );
  const deliverer = createDeliverer({
    db,
    secrets: createSecretBox(config.DATA_KEK, 'webhook-secrets'),
    allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
    onAttempt: watched.onAttempt,
  });
  const signedBodies = createSecretBox(config.DATA_KEK, 'user-actions');
  const stop = new AbortController();
  const dispatcher = createDispatcher(client, { wordsOf: recordWords(db) });
  const relay = createRelay({
    relayUrl: config.RELAY_DATABASE_URL,
    dispatcher,
    deliverer,
    logger,
    holderId: randomUUID(),
    observer: watched.relayObserver,
  });
  const freeze = createRestoreLock(db);
  for (const source of sourcesOf(config, { ...stores, networks, freeze, signer, relay })) watched.metrics.addSource(source);
  return {
    ...chains,
    ...stores,
    freeze,
    released: (withinMs: number) => deploymentStore.released(db.read(''), withinMs),
    signer,
    deliverer,
    mailer: openMailer(config, logger),
    ...secretBoxes(config),
    ...settingsOf(config),
    signedBodies,
    causes: createCauses(signedBodies, watched.causeObserver),
    onMailEnd: watched.onMailEnd,
    relay,
    logger,
    reported: stepContext(logger),
    dispatcher,
    metrics: watched.metrics,
    followObserver: watched.followObserver,
    scanObserver: watched.scanObserver,
    sweepObserver: watched.sweepObserver,
    onAltered: alteredAlarm(logger, watched.onAltered),
    statusOf: workflowStatusOver(client),
    prices: configuredPrices(config, (dependency, reason) => logger.warn({ dependency, reason }, 'a price is not known')),
    stopping: stop.signal,
    stop: () => stop.abort(),
    checks: healthChecks({ client, db, signer, ...chains }),
    close: async () => {
      await Promise.all([...Object.values(stores), signer].map((each) => each.close()));
    },
  };
}
