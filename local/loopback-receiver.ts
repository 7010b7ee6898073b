import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

type Request = { readonly raw: Buffer; readonly headers: IncomingHttpHeaders };
export type LoopbackReceiver = { readonly url: string; readonly close: () => Promise<void> };

/** The server replies with the status that `take` returns, or with 400 if `take` throws. */
export async function receiveOnLoopback(take: (request: Request) => number): Promise<LoopbackReceiver> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      response.writeHead(take({ raw: Buffer.concat(chunks), headers: request.headers })).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/webhooks`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
