import { createServer, type Server } from 'node:http';
import { z } from 'zod';
import { Port } from './config';
import type { Metrics } from './metrics';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** More connections than a scraper ever needs. */
const CONNECTIONS_MAX = 16;
const REQUEST_LIMIT_MS = 5_000;

/** Only the scraper may be able to reach this address and port, because `GET /metrics` needs no token. */
export const MetricsEnv = {
  METRICS_PORT: Port.default(0).describe(
    'Port of `GET /metrics` for Prometheus; a scrape needs no token, and 0 switches the port off.',
  ),
  /** Must be an address and not a name, because the SDK of Temporal also uses this variable and binds only to addresses. */
  METRICS_HOST: z
    .union([z.ipv4(), z.ipv6()], 'must be an IP address')
    .default('127.0.0.1')
    .meta({ form: 'IP address', description: 'Address on which the process serves `GET /metrics`.' }),
};

type Place = z.output<z.ZodObject<typeof MetricsEnv>>;

/** Returns the servers, which the caller closes at the end. */
export async function exposeMetrics(metrics: Metrics, { METRICS_HOST: host, METRICS_PORT: port }: Place): Promise<Server[]> {
  if (port === 0) return [];
  metrics.watchNode();
  return [await serveMetrics(metrics, { host, port })];
}

/** Serves only `GET /metrics`, on a separate port, because permission to scrape must not include permission to call the API. */
export function serveMetrics(
  metrics: Pick<Metrics, 'scrape'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS, headersTimeout: REQUEST_LIMIT_MS }, (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
      return;
    }
    metrics.scrape().then(
      (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
