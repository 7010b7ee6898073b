import '../platform/no-debugger';
import { createServer, type Server } from 'node:http';
import { ConfigError } from '../platform/config';
import { createLogger, type Logger } from '../platform/logger';
import { exposeMetrics } from '../platform/metrics-server';
import { endAtSignal, runMain } from '../platform/process-end';
import { startTracing } from '../platform/tracing';
import { type ApiConfig, apiConfig } from './config';
import { documentRoutes } from './docs';
import { healthRoutes } from './health';
import { createApp } from './http/app';
import { createAddressOf } from './http/client-address';
import { refuseMalformed } from './http/refuse-malformed';
import { routeOperations } from './http/router';
import { warnOfStrangers } from './limits';
import { measureRequests } from './metrics';
import { operations } from './operations';
import { createApiServices } from './services';
import { signInRoutes } from './sign-in/routes';
import { tokenKeyRoutes } from './token-keys';

const REQUEST_LIMIT_MS = 60_000;
const HEADERS_LIMIT_MS = 15_000;
/**
 * Longer than the two minutes for which a proxy such as Caddy keeps an idle connection. Otherwise a proxy or a client could send
 * a request over a connection that this server is closing, and the request would be lost.
 */
const KEPT_IDLE_MS = 150_000;
const SHUTDOWN_LIMIT_MS = 10_000;
const LIMITS = { requestTimeout: REQUEST_LIMIT_MS, headersTimeout: HEADERS_LIMIT_MS, keepAliveTimeout: KEPT_IDLE_MS };

async function main(): Promise<void> {
  const config = apiConfig();
  const logger = createLogger('api', config.LOG_LEVEL);
  const stopTracing = await startTracing('api', config, logger);
  const { services, freeze, checks, metrics, close } = await createApiServices(config, logger);
  const app = createApp(logger, {
    routes: [
      healthRoutes(checks, freeze, logger),
      signInRoutes(),
      documentRoutes(config.PUBLIC_URL),
      tokenKeyRoutes(services.tokens),
      routeOperations(operations, services),
    ],
    outermost: [measureRequests(metrics)],
    addressOf: createAddressOf(config.TRUSTED_PROXIES, warnOfStrangers(logger)),
    origins: config.ORIGINS,
    publicUrl: config.PUBLIC_URL,
  });
  const handle = app.callback();
  const servers = config.HOSTS.map(() =>
    createServer(LIMITS, (request, response) => {
      void handle(request, response);
    }),
  );
  for (const server of servers) server.on('clientError', refuseMalformed(config.PUBLIC_URL));
  const scraped = await exposeMetrics(metrics, config);
  await listen(servers, config, logger);

  endAtSignal(logger, async () => {
    services.feedFollowers.close();
    await Promise.all([...servers, ...scraped].map(finish));
    await close();
    await stopTracing();
  });
}

/** Skips an address that this machine lacks, such as `::1` without IPv6, if another address works. */
async function listen(servers: readonly Server[], { HOSTS, PORT }: ApiConfig, logger: Logger): Promise<void> {
  let listening = 0;
  for (const [index, server] of servers.entries()) {
    const host = HOSTS[index] ?? '';
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port: PORT, host }, resolve);
      });
      listening += 1;
      const address = server.address();
      logger.info({ host, port: typeof address === 'object' ? address?.port : PORT }, 'listening');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error;
      logger.warn({ host }, 'this machine has no such address');
    }
  }
  if (listening === 0) throw new ConfigError(`None of the addresses in HOSTS exists on this machine: ${HOSTS.join(', ')}`);
}

/** Gives the requests in flight `SHUTDOWN_LIMIT_MS` to finish. */
function finish(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), SHUTDOWN_LIMIT_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

runMain(main);
