import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type LoopbackReceiver, receiveOnLoopback } from './loopback-receiver';

const Envelope = z.object({ id: z.string(), kind: z.string(), timestampSent: z.number() });
const AGE_SECONDS_MAX = 300;

export type Received = { readonly kind: string; readonly signed: boolean };
export type WebhookReceiver = LoopbackReceiver & {
  readonly received: readonly Received[];
  /** Sets the secret later: the caller creates the webhook with the URL of this receiver, and only then gets the secret. */
  readonly trust: (secret: string) => void;
};

/** The receiver listens on loopback and checks each signature as a customer's receiver would. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let secret = '';
  const isSigned = (raw: Buffer, header: string): boolean => {
    const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
    const given = Buffer.from(header);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const receiver = await receiveOnLoopback(({ raw, headers }) => {
    const { kind, timestampSent } = Envelope.parse(JSON.parse(raw.toString('utf8')));
    const fresh = Math.abs(Date.now() / 1000 - timestampSent) <= AGE_SECONDS_MAX;
    received.push({ kind, signed: fresh && isSigned(raw, String(headers['x-svc-webhook-signature'])) });
    return 200;
  });
  return {
    ...receiver,
    received,
    trust: (given) => {
      secret = given;
    },
  };
}
