import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { createCauses } from '../activities/outgoing/causes';
import type { OnAltered } from '../application/approvals/what-was-approved';
import { createRestoreLock } from '../application/deployment/restore-lock';
import { createDispatcher } from '../application/dispatch/dispatcher';
import { recordWords } from '../application/dispatch/start-words';
import { standingOver } from '../application/dispatch/workflow-status';
import { createDeliverer } from '../application/webhooks/delivery';
import { createGateways } from '../chains/gateways';
import { applySettings, encryptionAccessIn } from '../chains/network-settings';
import { assertChainIds, enabledNetworks, networkOf } from '../chains/networks';
import { createReaders } from '../chains/readers';
import { AppError } from '../domain/errors';
import { openStrongroomDatabase } from '../entities/data-source';
import { deploymentStore } from '../entities/deployment/deployment.store';
import { openSignerSwitchWriter } from '../entities/deployment/signer-switch.store';
import { openBacklogStore } from '../entities/housekeeping/backlog.store';
import { openHousekeepingStore } from '../entities/housekeeping/housekeeping.store';
import { openPayloadsOver } from '../entities/outgoing/open-payloads';
import type { Logger } from '../platform/logger';
import { createMailer } from '../platform/mailer';
import { poolsSource } from '../platform/metrics-sources';
import { createSecretBox } from '../platform/secret-box';
import { createSignerClient } from '../signer/client';
import { configuredPrices } from '../vendors/prices/configured';
import type { WorkerConfig } from './config';
import { stepContext } from './interceptors/context';
import { createWorkerMetrics } from './metrics';
import { backlogSource, freezeSource, relaySource, signerSource } from './metrics-sources';
import { createRelay } from './relay/relay';

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Everything the worker process holds: stores, chain access, the signer's client, the relay, and what its health asks. */
export async function openParts(config: WorkerConfig, client: Client, logger: Logger) {
  const networks = enabledNetworks(config.NETWORK_RPC_URLS).map(({ name }) => name);
  const watched = createWorkerMetrics(logger);
  applySettings(config.NETWORK_RPC_URLS, config.NETWORK_SETTINGS);
  const readers = createReaders(config.NETWORK_RPC_URLS, watched.onRpcCall, config.NETWORK_SETTINGS);
  const gateways = createGateways(config.NETWORK_RPC_URLS, watched.onRpcCall, config.NETWORK_SETTINGS);
  // Each by itself: one that is down must not hide that another one is the wrong chain.
  const checks = enabledNetworks(config.NETWORK_RPC_URLS).map((network) =>
    assertChainIds([network], readers).catch((error: unknown) => {
      // A node that is down is waited for by whatever needs it; one of another chain must never be used.
      if (!(error instanceof AppError) || error.code !== 'NetworkUnavailable') throw error;
      logger.warn({ err: error, network: network.name }, 'a network does not answer yet');
    }),
  );
  await Promise.all(checks);
  const db = await openStrongroomDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    applicationName: 'strongroom-worker',
  });
  const openPayloads = openPayloadsOver(config.RELAY_DATABASE_URL);
  const house = openHousekeepingStore(config.RELAY_DATABASE_URL);
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
  const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM, config.NODE_ENV === 'production');
  if (config.SMTP_URL === undefined) logger.warn('no mail server is configured (SMTP_URL): mails wait');
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
  const backlog = openBacklogStore(config.RELAY_DATABASE_URL);
  const switchWriter = openSignerSwitchWriter(config.RELAY_DATABASE_URL);
  const freeze = createRestoreLock(db);
  const sources = [
    backlogSource(backlog, networks),
    freezeSource(freeze),
    signerSource(signer),
    relaySource(relay),
    poolsSource(db.pools),
  ];
  for (const source of sources) watched.metrics.addSource(source);
  const onAltered: OnAltered = ({ orgId, id: activityId }, reason) => {
    logger.error(
      { orgId, activityId, reason },
      'a request is not what was judged or approved: the database may be written by somebody else',
    );
    watched.onAltered();
  };
  return {
    networks,
    readers,
    gateways,
    db,
    freeze,
    released: (withinMs: number) => deploymentStore.released(db.read(''), withinMs),
    signer,
    switchWriter,
    deliverer,
    mailer,
    keyRequestSecrets: createSecretBox(config.DATA_KEK, 'key-requests'),
    signedBodies,
    causes: createCauses(signedBodies, watched.causeObserver),
    travelRuleSecrets: createSecretBox(config.DATA_KEK, 'travel-rule'),
    integrationSecrets: createSecretBox(config.DATA_KEK, 'integrations'),
    vendorUrls: config.VENDOR_URLS,
    encryptionAccess: encryptionAccessIn(config.NETWORK_SETTINGS),
    publicUrl: config.PUBLIC_URL,
    mailContents: createSecretBox(config.DATA_KEK, 'mails'),
    pageUrl: config.PUBLIC_URL === undefined ? undefined : new URL('/sign-in', config.PUBLIC_URL).href,
    onMailEnd: watched.onMailEnd,
    relay,
    logger,
    reported: stepContext(logger),
    openPayloads,
    dispatcher,
    metrics: watched.metrics,
    followObserver: watched.followObserver,
    onAltered,
    house,
    standingOf: standingOver(client),
    outboxRetentionDays: config.OUTBOX_RETENTION_DAYS,
    filledNonceLapsesAfterMs: config.FILLED_NONCE_LAPSES_AFTER_SECONDS * 1_000,
    priceAgeMaxMs: config.PRICE_AGE_MAX_SECONDS * 1_000,
    prices: configuredPrices(config, (dependency, reason) => logger.warn({ dependency, reason }, 'a price is not known')),
    stopping: stop.signal,
    stop: () => stop.abort(),
    checks: {
      database: () => db.ping(),
      temporal: () => client.workflowService.getSystemInfo({}),
      signer: () => signer.health(),
      ...Object.fromEntries(networks.map((name) => [`network ${name}`, () => assertChainIds([networkOf(name)], readers)])),
    },
    close: async () => {
      await Promise.all([db.close(), openPayloads.close(), house.close(), backlog.close(), switchWriter.close(), signer.close()]);
    },
  };
}
