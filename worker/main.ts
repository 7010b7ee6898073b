import '../platform/no-debugger';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, type RuntimeOptions } from '@temporalio/worker';
import { ConfigError } from '../platform/config';
import { createLogger } from '../platform/logger';
import { exposeMetrics } from '../platform/metrics-server';
import { createPayloadCodec, dataConverterOf } from '../platform/payload-codec';
import { endSignal, reportFault, runMain } from '../platform/process-end';
import { contextInterceptor } from '../platform/temporal-context';
import { createTokenVerifier } from '../platform/token-keys';
import { startTracing } from '../platform/tracing';
import { keepAuditLogsNumbered } from './audit-sequencer';
import { followCharters } from './charters';
import { serveCodec } from './codec-endpoint';
import { createCodecGate } from './codec-gate';
import { type WorkerConfig, workerConfig } from './config';
import { keepFollowers } from './followers';
import { serveHealth } from './health';
import { followKeyStores } from './key-stores';
import { assertMainnets } from './mainnets';
import { openParts, type Parts } from './parts';
import { createWorkers } from './queues';
import { restartAfterRelease, runOver } from './releases';
import { keepSchedules } from './schedules';
import { sdkLogger } from './sdk-logger';
import { registerSearchAttributes } from './search-attributes';
import { keepAnchors } from './signer-anchors';
import { publishSwitches } from './signer-switches';

async function main(): Promise<void> {
  const config = workerConfig();
  const logger = createLogger('worker', config.LOG_LEVEL);
  const stopTracing = await startTracing('worker', config, logger);
  Runtime.install({
    logger: sdkLogger(logger),
    shutdownSignals: [],
    ...sdkMetrics(config),
  });

  const stopping = endSignal();
  const { connectionOptions, namespace } = config.temporal;
  const dataConverter = dataConverterOf(config.DATA_KEK, namespace);
  const connection = await NativeConnection.connect(connectionOptions);
  const interceptors = { workflow: [contextInterceptor] };
  const client = new Client({ connection: await Connection.connect(connectionOptions), namespace, dataConverter, interceptors });
  const registered = await registerSearchAttributes(connection, namespace).catch((error: unknown) => {
    logger.warn({ err: error }, 'search attributes could not be checked; they must exist in the namespace');
    return [];
  });
  if (registered.length > 0) logger.info({ names: registered }, 'search attributes registered');

  const parts = await openParts(config, client, logger);
  await assertMainnets(parts);
  const workers = await createWorkers(config, parts, connection);
  const running = Promise.all(workers.map((worker) => worker.run()));
  parts.relay.start();
  const leaveFollowers = await keepFollowers({ client, networks: parts.networks, scanned: parts.scanned, logger });
  const leaveSchedules = await keepSchedules({ client, logger });
  const leaveRestarts = await restartAfterRelease({ run: runOver(client), released: parts.released, logger });
  const leaveCharters = await followCharters(parts);
  const leaveKeyStores = await followKeyStores(parts);
  const leaveAuditLogs = keepAuditLogsNumbered(parts);
  const leaveSwitches = await publishSwitches({ signer: parts.signer, writer: parts.switchWriter, logger });
  const leaveAnchors = await keepAnchors({ signer: parts.signer, db: parts.db, logger });

  const servers = [
    ...(await exposeMetrics(parts.metrics, config)),
    await serveHealth({ checks: parts.checks, freeze: parts.freeze, host: config.HEALTH_HOST, port: config.HEALTH_PORT, logger }),
    ...(config.CODEC_PORT === 0
      ? []
      : [await serveCodec(createPayloadCodec(config.DATA_KEK, namespace), codecOptions(config, parts))]),
  ];
  logger.info({ networks: parts.networks }, 'ready');

  await Promise.race([stopping, running]);
  logger.info('stopping');
  parts.stop();
  for (const server of servers) server.close();
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  const leaving = [
    leaveFollowers(),
    leaveSchedules(),
    leaveRestarts(),
    leaveSwitches(),
    leaveAnchors(),
    leaveCharters(),
    leaveKeyStores(),
    leaveAuditLogs(),
  ];
  await Promise.all([parts.relay.stop(), running, ...leaving]);
  await Promise.all([parts.close(), client.connection.close(), connection.close()]);
  await stopTracing();
}

/** These metrics have a separate port, because the SDK's own core serves them. Names and units follow Prometheus. */
function sdkMetrics({ METRICS_HOST, SDK_METRICS_PORT }: WorkerConfig): Pick<RuntimeOptions, 'telemetryOptions'> {
  if (SDK_METRICS_PORT === 0) return {};
  const host = METRICS_HOST.includes(':') ? `[${METRICS_HOST}]` : METRICS_HOST;
  const prometheus = {
    bindAddress: `${host}:${SDK_METRICS_PORT}`,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
  return { telemetryOptions: { metrics: { prometheus } } };
}

function codecOptions(config: WorkerConfig, { db, logger }: Parts): Parameters<typeof serveCodec>[1] {
  const { CODEC_PORT: port, CODEC_HOST: host, CODEC_URL, CODEC_ORG_ID: orgId, CODEC_TOKEN_KEYS: keys } = config;
  const { namespace } = config.temporal;
  const tokens = keys === undefined ? undefined : createTokenVerifier(keys);
  const gate = tokens && orgId !== undefined ? createCodecGate({ db, tokens, orgId, namespace }) : undefined;
  const ownOrigin = CODEC_URL === undefined ? undefined : new URL(CODEC_URL).origin;
  return { port, host, uiOrigins: uiOrigins(config), gate, ownOrigin, logger };
}

const uiOrigins = ({ TEMPORAL_UI_URL }: WorkerConfig): readonly string[] => {
  if (TEMPORAL_UI_URL === undefined) return [];
  const url = new URL(TEMPORAL_UI_URL);
  return [url.origin, `${url.protocol}//localhost:${url.port}`];
};

runMain(main, (error) => {
  if (error instanceof ConfigError) reportFault(error);
  else createLogger('worker', 'error').fatal({ err: error }, 'the worker cannot continue');
});
