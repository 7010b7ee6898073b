import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordDelivery } from './examples';

export type Delivery = {
  readonly envelope: {
    readonly id: string;
    readonly kind: string;
    readonly date: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly timestampSent: number;
    readonly deliveryAttempt: number;
    readonly retryOf?: string;
    readonly version?: number;
  };
  readonly raw: string;
  readonly headers: IncomingHttpHeaders;
};

/** The behaviour of the receiver: an HTTP status, a function that answers, or silence. */
export type Behaviour = number | 'silent' | ((response: ServerResponse, delivery: Delivery) => void);

export type WebhookSink = {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  readonly behave: (behaviour: Behaviour) => void;
  /** Resolves with the deliveries as soon as this number has arrived. Rejects after the limit. */
  readonly received: (count: number, limitMs?: number) => Promise<readonly Delivery[]>;
  readonly close: () => Promise<void>;
};

/** Whether the header is the HMAC-SHA256 of exactly these bytes under the secret, as a receiver would check it. */
export function isSigned({ raw, headers }: Delivery, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(headers['x-svc-webhook-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Starts a receiver of webhooks on loopback. */
export async function startWebhookSink(behaviour: Behaviour = 200): Promise<WebhookSink> {
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  let current = behaviour;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const delivery: Delivery = { envelope: JSON.parse(raw) as Delivery['envelope'], raw, headers: request.headers };
    deliveries.push(delivery);
    recordDelivery(delivery.envelope);
    for (const check of waiting) check();
    if (typeof current === 'function') current(response, delivery);
    else if (current !== 'silent') response.writeHead(current).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    behave: (next) => {
      current = next;
    },
    received: (count, limitMs = 10_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${deliveries.length} of ${count} deliveries after ${limitMs} ms`));
        }, limitMs);
        const check = () => {
          if (deliveries.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(deliveries);
        };
        waiting.add(check);
        check();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
