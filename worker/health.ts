import { createServer, type Server } from 'node:http';
import type { Logger } from '../platform/logger';
import { type Checks, notReady, readinessBody } from '../platform/readiness';

type Options = { readonly checks: Checks; readonly host: string; readonly port: number; readonly logger: Logger };

/** `GET /health/live` says that the process runs; `GET /health/ready` that it can work, or what is missing (503). */
export function serveHealth({ checks, host, port, logger }: Options): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/health/live') answer(200, { status: 'live' });
    else if (request.url === '/health/ready') {
      void notReady(checks, logger).then((names) => answer(names.length === 0 ? 200 : 503, readinessBody(names)));
    } else answer(404, { status: 'unknown' });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
