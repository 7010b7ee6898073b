import { createServer, type Server } from 'node:http';

/** Each check answers when its part is ready and throws otherwise. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_LIMIT_MS = 2_000;

/** `GET /health/live` and `GET /health/ready`; the latter names what is not ready. */
export function serveHealth(checks: Checks, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/health/live') answer(200, { status: 'live' });
    else if (request.url === '/health/ready')
      void readiness(checks).then((notReady) => answer(notReady.length === 0 ? 200 : 503, report(notReady)));
    else answer(404, { status: 'unknown' });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

const report = (notReady: readonly string[]) => (notReady.length === 0 ? { status: 'ready' } : { status: 'not ready', notReady });

async function readiness(checks: Checks): Promise<readonly string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('too slow')), CHECK_LIMIT_MS);
      });
      try {
        await Promise.race([check(), late]);
        return [];
      } catch {
        return [name];
      } finally {
        clearTimeout(timer);
      }
    }),
  );
  return results.flat();
}
