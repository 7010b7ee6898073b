import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createChainActivities, createMainActivities, createSignerActivities } from '../activities';
import { createDispatcher } from '../application/dispatch';
import { createDeliverer } from '../application/webhook-delivery';
import { createGateways } from '../chains/gateways';
import { assertChainIds, enabledNetworks, networkOf } from '../chains/networks';
import { createReaders } from '../chains/readers';
import { AppError } from '../domain/errors';
import { chainQueueOf, sharedRoute } from '../domain/routes';
import { openStrongroomDatabase } from '../entities/data-source';
import { openPayloadsOver } from '../entities/transfers/open-payloads';
import { ConfigError } from '../platform/config';
import { createLogger, type Logger } from '../platform/logger';
import { createPayloadCodec, dataConverterOf } from '../platform/payload-codec';
import { createSecretBox } from '../platform/secret-box';
import { createSignerClient } from '../signer/client';
import { createFixedPrices } from '../vendors/prices/fixed';
import { serveCodec } from './codec-endpoint';
import { type WorkerConfig, workerConfig } from './config';
import { keepFollowers } from './followers';
import { serveHealth } from './health';
import { activityErrors } from './interceptors/errors';
import { createRelay } from './relay/relay';
import { sdkLogger } from './sdk-logger';
import { registerSearchAttributes } from './search-attributes';

/** Without the handler SIGUSR1 would open Node's debugger on a port of this host. */
process.on('SIGUSR1', () => undefined);

const SHUTDOWN_GRACE = '10 seconds' as const;
const SHUTDOWN_FORCE = '20 seconds' as const;
const FOLLOWER_SLOTS = 4;

async function main(): Promise<void> {
  const config = workerConfig();
  const logger = createLogger('worker', config.LOG_LEVEL);
  Runtime.install({
    logger: sdkLogger(logger),
    shutdownSignals: [],
  });

  const stopping = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const { connectionOptions, namespace } = config.temporal;
  const dataConverter = dataConverterOf(config.DATA_KEK, namespace);
  const connection = await NativeConnection.connect(connectionOptions);
  const client = new Client({ connection: await Connection.connect(connectionOptions), namespace, dataConverter });
  const registered = await registerSearchAttributes(connection, namespace).catch((error: unknown) => {
    logger.warn({ err: error }, 'search attributes could not be checked; they must exist in the namespace');
    return [];
  });
  if (registered.length > 0) logger.info({ names: registered }, 'search attributes registered');

  const parts = await openParts(config, client, logger);
  const workers = await createWorkers(config, parts, connection);
  const running = Promise.all(workers.map((worker) => worker.run()));
  parts.relay.start();
  const leaveFollowers = await keepFollowers({ client, networks: parts.networks, logger });

  const servers = [
    await serveHealth({ checks: parts.checks, host: config.HEALTH_HOST, port: config.HEALTH_PORT, logger }),
    ...(config.CODEC_PORT === 0
      ? []
      : [await serveCodec(createPayloadCodec(config.DATA_KEK, namespace), config.CODEC_PORT, uiOrigins(config))]),
  ];
  logger.info({ networks: parts.networks }, 'ready');

  await Promise.race([stopping, running]);
  logger.info('stopping');
  leaveFollowers();
  parts.stop();
  for (const server of servers) server.close();
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await Promise.all([parts.relay.stop(), running]);
  await Promise.all([parts.close(), client.connection.close(), connection.close()]);
}

type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts(config: WorkerConfig, client: Client, logger: Logger) {
  const networks = enabledNetworks(config.NETWORK_RPC_URLS).map(({ name }) => name);
  const readers = createReaders(config.NETWORK_RPC_URLS);
  const gateways = createGateways(config.NETWORK_RPC_URLS);
  await assertChainIds(enabledNetworks(config.NETWORK_RPC_URLS), readers).catch((error: unknown) => {
    // A node that is down is waited for by whatever needs it; one of another chain must never be used.
    if (!(error instanceof AppError) || error.code !== 'NetworkUnavailable') throw error;
    logger.warn({ err: error }, 'a network does not answer yet');
  });
  const db = await openStrongroomDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    applicationName: 'strongroom-worker',
  });
  const openPayloads = openPayloadsOver(config.RELAY_DATABASE_URL);
  const signer = createSignerClient({
    socketPath: config.SIGNER_SOCKET,
    authKey: config.SIGNER_AUTH,
    timeoutMs: config.SIGNER_TIMEOUT_MS,
  });
  const deliverer = createDeliverer({
    db,
    secrets: createSecretBox(config.DATA_KEK, 'webhook-secrets'),
    allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
  });
  const stop = new AbortController();
  const relay = createRelay({
    relayUrl: config.RELAY_DATABASE_URL,
    dispatcher: createDispatcher(client),
    deliverer,
    logger,
    holderId: randomUUID(),
  });
  return {
    networks,
    readers,
    gateways,
    db,
    signer,
    deliverer,
    relay,
    logger,
    openPayloads,
    prices: createFixedPrices(config.PRICES),
    stopping: stop.signal,
    stop: () => stop.abort(),
    checks: {
      database: () => db.ping(),
      temporal: () => client.workflowService.getSystemInfo({}),
      signer: () => signer.health(),
      ...Object.fromEntries(networks.map((name) => [`network ${name}`, () => assertChainIds([networkOf(name)], readers)])),
    },
    close: async () => {
      await Promise.all([db.close(), openPayloads.close(), signer.close()]);
    },
  };
}

/** One worker per queue: a slow signer or node then holds up nobody else's slots. */
async function createWorkers(config: WorkerConfig, parts: Parts, connection: NativeConnection): Promise<readonly Worker[]> {
  const { namespace } = config.temporal;
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOf(config.DATA_KEK, namespace),
    interceptors: { activity: [activityErrors] },
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
  } satisfies Partial<WorkerOptions>;
  const { main, signer } = sharedRoute;
  return Promise.all([
    Worker.create({
      ...shared,
      ...(config.WORKFLOW_BUNDLE === undefined
        ? { workflowsPath: require.resolve('../workflows') }
        : { workflowBundle: { codePath: config.WORKFLOW_BUNDLE } }),
      taskQueue: main,
      activities: createMainActivities(parts),
      maxCachedWorkflows: config.WORKFLOWS_CACHED_MAX,
      workflowThreadPoolSize: 1,
      maxConcurrentWorkflowTaskExecutions: 20,
      maxConcurrentActivityTaskExecutions: 50,
    }),
    Worker.create({
      ...shared,
      taskQueue: signer,
      activities: createSignerActivities(parts),
      maxConcurrentActivityTaskExecutions: 16,
    }),
    ...parts.networks.map((network) =>
      Worker.create({
        ...shared,
        taskQueue: chainQueueOf(network),
        activities: createChainActivities(parts),
        maxConcurrentActivityTaskExecutions: 32 + FOLLOWER_SLOTS,
      }),
    ),
  ]);
}

const uiOrigins = ({ TEMPORAL_UI_URL }: WorkerConfig): readonly string[] => {
  if (TEMPORAL_UI_URL === undefined) return [];
  const url = new URL(TEMPORAL_UI_URL);
  return [url.origin, `${url.protocol}//localhost:${url.port}`];
};

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else createLogger('worker', 'error').fatal({ err: error }, 'the worker cannot go on');
  process.exit(1);
});
