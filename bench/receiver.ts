import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';

const Envelope = z.object({
  kind: z.string(),
  data: z.object({ transferRequest: z.object({ id: z.string() }).optional() }),
});

export type Receiver = {
  readonly url: string;
  /** How many deliveries came so far. */
  readonly count: () => number;
  /** Resolves when the confirmation of this transfer has been delivered, also when it was before. */
  readonly confirmed: (transferId: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A receiver of webhooks that is never slow: it notes what ended and answers. */
export async function startReceiver(): Promise<Receiver> {
  let count = 0;
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  const take = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { kind, data } = Envelope.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    count += 1;
    const id = data.transferRequest?.id;
    if (kind !== 'wallet.transfer.confirmed' || id === undefined) return;
    ended.add(id);
    waiting.get(id)?.();
    waiting.delete(id);
  };
  const server = createServer((request, response) => {
    take(request).then(
      () => response.writeHead(200).end(),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/webhooks`,
    count: () => count,
    confirmed: (transferId) =>
      ended.has(transferId) ? Promise.resolve() : new Promise((resolve) => waiting.set(transferId, resolve)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
