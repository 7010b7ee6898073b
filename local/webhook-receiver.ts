import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';

const Envelope = z.object({ id: z.string(), kind: z.string(), timestampSent: z.number() });
const AGE_SECONDS_MAX = 300;

export type Received = { readonly kind: string; readonly signed: boolean };
export type WebhookReceiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** The secret comes with the answer that creates the webhook, after the receiver already listens. */
  readonly trust: (secret: string) => void;
  readonly close: () => Promise<void>;
};

/** A receiver of webhooks on loopback that checks each signature as a customer's would. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let secret = '';
  const isSigned = (raw: Buffer, header: string): boolean => {
    const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
    const given = Buffer.from(header);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const take = async (request: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const raw = Buffer.concat(chunks);
    const { kind, timestampSent } = Envelope.parse(JSON.parse(raw.toString('utf8')));
    const fresh = Math.abs(Date.now() / 1000 - timestampSent) <= AGE_SECONDS_MAX;
    received.push({ kind, signed: fresh && isSigned(raw, String(request.headers['x-svc-webhook-signature'])) });
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
    received,
    trust: (given) => {
      secret = given;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
