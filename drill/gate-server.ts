import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const Report = z.object({ point: z.string(), ids: z.array(z.string()), pid: z.number() });

/** `ids` are the ids of the records on which the process works at the point (`platform/points.ts`). */
export type Report = z.output<typeof Report>;

/** `go` lets the process pass, and `fail` makes the step of the process fail permanently. */
export type Verdict = 'go' | 'fail';

/** A process of the service reports a point to this server and waits for the verdict. */
export type GateServer = {
  readonly socketPath: string;
  /** Before the first call the verdict is always `go`. */
  readonly judgeWith: (judge: (report: Report) => Promise<Verdict>) => void;
  readonly close: () => Promise<void>;
};

export async function startGateServer(): Promise<GateServer> {
  let judge: (report: Report) => Promise<Verdict> = async () => 'go';
  const take = async (request: IncomingMessage): Promise<Verdict> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    return judge(Report.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
  };
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    take(request).then(
      (verdict) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ verdict })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  // The folder of the drill may have a path that is too long for a socket.
  const folder = mkdtempSync(join(tmpdir(), 'gate-'));
  const socketPath = join(folder, 'socket');
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    socketPath,
    judgeWith: (next) => {
      judge = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
