import { createRestoreLock, type RestoreLockStatus } from '../application/deployment/restore-lock';
import { createDispatcher } from '../application/dispatch/dispatcher';
import { recordWords } from '../application/dispatch/start-words';
import { createFeedFollowers } from '../application/feed/followers';
import { createLockout } from '../application/login/lockout';
import type { Services } from '../application/services';
import { applySettings } from '../chains/network-settings';
import { assertChainIds, enabledNetworks } from '../chains/networks';
import { createReaders } from '../chains/readers';
import { openStrongroomDatabase } from '../entities/data-source';
import { openLimitStore } from '../entities/limits/limit.store';
import { createDecoys } from '../platform/decoy-credentials';
import { createIdentityProviders } from '../platform/identity-providers';
import { createLimitDigest } from '../platform/limit-digest';
import type { Logger } from '../platform/logger';
import { createMetrics, type Metrics } from '../platform/metrics';
import { certificatesSource, poolsSource, rpcCallsInto, temporalCertificate } from '../platform/metrics-sources';
import { createCodeDigest } from '../platform/one-time-codes';
import type { Checks } from '../platform/readiness';
import { createSecretBox } from '../platform/secret-box';
import { createTemporalClient } from '../platform/temporal-client';
import { createTokenKeys } from '../platform/token-keys';
import { listenForChanges } from '../platform/wait-for-change';
import type { ApiConfig } from './config';
import type { AuthServices } from './http/auth-services';
import { createRateLimits } from './http/rate-limits';
import { commitments, operationFinder } from './http/router';
import { assertClock, keepLimitsTidy } from './limits';
import { operations } from './operations';

export type ApiServices = {
  readonly services: Services & AuthServices;
  readonly freeze: RestoreLockStatus;
  readonly checks: Checks;
  readonly metrics: Metrics;
  readonly close: () => Promise<void>;
};

/** The database must already be reachable, but Temporal and the networks may still be starting. */
export async function createApiServices(config: ApiConfig, logger: Logger): Promise<ApiServices> {
  const { DATABASE_URL: url, DATABASE_POOL_MAX: poolMax, DATA_KEK: dataKey, NETWORK_RPC_URLS: rpcUrls } = config;
  const db = await openStrongroomDatabase({ url, poolMax, applicationName: 'strongroom-api' });
  const client = createTemporalClient(config.temporal, dataKey);
  const changes = listenForChanges(url, logger);
  const metrics = createMetrics('api', logger);
  metrics.addSource(poolsSource(db.pools));
  metrics.addSource(certificatesSource(() => temporalCertificate(config.temporal)));
  applySettings(rpcUrls, config.NETWORK_SETTINGS);
  const readers = createReaders(rpcUrls, rpcCallsInto(metrics), config.NETWORK_SETTINGS);
  const limits = openLimitStore(url);
  const limitDigest = createLimitDigest(dataKey);
  const rateLimits = createRateLimits({
    table: config.RATE_LIMITS,
    store: limits,
    digest: limitDigest,
    onError: (error) => logger.warn({ err: error }, 'cannot exchange limits with other processes'),
  });
  const stopTidying = keepLimitsTidy(limits, logger);
  const freeze = createRestoreLock(db);
  const services = {
    db,
    readers,
    signingOnly: new Set(config.SIGN_WITHOUT_NODES),
    changes,
    dispatcher: createDispatcher(client, { wordsOf: recordWords(db) }),
    webhookSecrets: createSecretBox(dataKey, 'webhook-secrets'),
    webhookTargets: { allowLoopback: config.NODE_ENV !== 'production' },
    keyRequestSecrets: createSecretBox(dataKey, 'key-requests'),
    travelRuleSecrets: createSecretBox(dataKey, 'travel-rule'),
    integrationSecrets: createSecretBox(dataKey, 'integrations'),
    relyingParty: { id: config.RP_ID, name: config.RP_NAME, origins: config.ORIGINS },
    credentialSecrets: createSecretBox(dataKey, 'credential-secrets'),
    signedBodies: createSecretBox(dataKey, 'user-actions'),
    codeDigest: createCodeDigest(dataKey),
    decoys: createDecoys(dataKey),
    identityProviders: createIdentityProviders(config.INTERNAL_IDENTITY_PROVIDERS),
    ssoSecrets: createSecretBox(dataKey, 'sso-secrets'),
    mailContents: createSecretBox(dataKey, 'mails'),
    tokens: createTokenKeys(config.TOKEN_KEY),
    lockout: createLockout({ store: limits, digest: limitDigest }),
    rateLimits,
    freeze,
    feedFollowers: createFeedFollowers({ db }),
    commitmentOf: commitments(operations),
    findOperation: operationFinder(operations),
  };
  const checks: Checks = {
    database: () => db.ping(),
    clock: () => assertClock(limits),
    temporal: () => client.workflowService.describeNamespace({ namespace: config.temporal.namespace }),
    ...Object.fromEntries(
      enabledNetworks(rpcUrls).map((network) => [`network ${network.name}`, () => assertChainIds([network], readers)]),
    ),
  };
  const close = async () => {
    stopTidying();
    await rateLimits.close();
    // The connection to Temporal stays open: otherwise a workflow that is just being started would cause an unhandled error. If
    // the workflow cannot be started, the relay starts it later from its outbox row.
    await Promise.all([changes.close(), db.close(), limits.close()]);
  };
  return { services, freeze, checks, metrics, close };
}
