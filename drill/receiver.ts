import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';

const Envelope = z.object({ id: z.string(), kind: z.string(), deliveryAttempt: z.number(), retryOf: z.string().optional() });

/** One delivery as it arrived, in the order of arrival. */
export type Delivery = z.output<typeof Envelope> & { readonly text: string };

/** A receiver of webhooks that outlives every kill and remembers what it was sent. */
export type Receiver = {
  readonly url: string;
  readonly received: readonly Delivery[];
  /** The HTTP status for each delivery from now on; 200 until it is said otherwise. */
  readonly answerWith: (statusOf: (delivery: Delivery) => number) => void;
  readonly close: () => Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Delivery[] = [];
  let statusOf: (delivery: Delivery) => number = () => 200;
  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    const delivery = { ...Envelope.parse(JSON.parse(text)), text };
    received.push(delivery);
    return statusOf(delivery);
  };
  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/webhooks`,
    received,
    answerWith: (next) => {
      statusOf = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
