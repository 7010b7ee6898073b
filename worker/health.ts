import { createServer, type Server } from 'node:http';
import type { RestoreLockStatus } from '../application/deployment/restore-lock';
import type { Logger } from '../platform/logger';
import { type Checks, readiness } from '../platform/readiness';

type Options = {
  readonly checks: Checks;
  readonly freeze: RestoreLockStatus;
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
};

/**
 * `GET /health/live` reports that the process runs, and `GET /health/ready` that the process can work. If the process cannot
 * work, the status is 503 and the body lists the missing parts.
 */
export function serveHealth({ checks, freeze, host, port, logger }: Options): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/health/live') answer(200, { status: 'live' });
    else if (request.url === '/health/ready') {
      void readiness(checks, freeze.standing, logger).then(({ status, body }) => answer(status, body));
    } else answer(404, { status: 'unknown' });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
