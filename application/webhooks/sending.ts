import { createHmac } from 'node:crypto';
import { RECEIVED_STATUS } from '../../domain/webhooks';
import type { ItemPlace } from '../../entities/hash-chains/chain-store';
import type { WebhookEntity } from '../../entities/webhooks/webhook.entity';
import { post } from '../../platform/guarded-fetch';
import type { SecretBox } from '../../platform/secret-box';
import { createSemaphore, type Semaphore, SemaphoreBusy } from '../../platform/semaphore';
import { inSpan } from '../../platform/spans';

/** The body of every delivery. A receiver can restore the order of deliveries by the `version` of the record (S14). */
export type WebhookEnvelope = {
  readonly id: string;
  readonly kind: string;
  readonly date: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestampSent: number;
  readonly deliveryAttempt: number;
  readonly retryOf?: string;
  readonly version?: number;
};

/** `status` is the HTTP status as text, or the code of the failure that prevented a response. */
export type SendOutcome = { readonly status: string; readonly error?: string };

const DELIVERY_TIMEOUT_MS = 5_000;
/**
 * Limits per webhook. A slow receiver must not delay deliveries to other webhooks, and the queue for one receiver must stay
 * bounded.
 */
const PARALLEL_PER_WEBHOOK_MAX = 16;
const WAIT_FOR_PLACE_MAX_MS = 10_000;

type Options = { readonly secrets: SecretBox; readonly allowLoopback: boolean; readonly timeoutMs?: number | undefined };

/** A sealed secret can be opened only in the row of its webhook. */
export const secretContext = (orgId: string, webhookId: string): string => `${orgId}:${webhookId}`;

export function signatureOf(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * With these headers, a receiver that also reads the feed can find the event there and sees which events it has not received yet.
 */
const placeHeaders = ({ itemId, sequence, digest }: ItemPlace) => ({
  'x-svc-webhook-event': itemId,
  'x-svc-webhook-sequence': String(sequence),
  'x-svc-webhook-digest': digest,
});

/** A failed delivery is a named result and not an exception. */
export function createSender({ secrets, allowLoopback, timeoutMs = DELIVERY_TIMEOUT_MS }: Options) {
  const gates = new Map<string, Semaphore>();

  const sendNow = async (webhook: WebhookEntity, envelope: WebhookEnvelope, place?: ItemPlace): Promise<SendOutcome> => {
    const secret = open(webhook);
    if (secret === undefined)
      return { status: 'SecretUnreadable', error: 'the signing secret cannot be opened with the present data key' };
    const body = Buffer.from(JSON.stringify(envelope), 'utf8');
    const outcome = await post({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Strongroom-Webhooks',
        'x-svc-webhook-signature': signatureOf(secret, body),
        ...(place ? placeHeaders(place) : {}),
      },
      body,
      timeoutMs,
      allowLoopback,
    });
    if ('code' in outcome) return { status: outcome.code, error: outcome.message };
    const status = String(outcome.httpStatus);
    if (outcome.httpStatus === RECEIVED_STATUS) return { status };
    return { status, error: `the receiver answered ${status} instead of ${RECEIVED_STATUS}` };
  };

  const open = ({ orgId, id, sealedSecret }: WebhookEntity): string | undefined => {
    try {
      return secrets.open(sealedSecret, secretContext(orgId, id));
    } catch {
      // The error is not thrown, because an unreadable secret of one webhook must not block the deliveries to other webhooks.
      return undefined;
    }
  };

  const sendInSpan = (webhook: WebhookEntity, envelope: WebhookEnvelope, place?: ItemPlace): Promise<SendOutcome> => {
    const attributes = { 'strongroom.webhook.attempt': envelope.deliveryAttempt };
    return inSpan({ name: 'webhook attempt', kind: 'client', attributes }, async (span) => {
      const sent = await sendNow(webhook, envelope, place);
      span.set({ 'strongroom.webhook.status': sent.status });
      return sent;
    });
  };

  return async (webhook: WebhookEntity, envelope: WebhookEnvelope, place?: ItemPlace): Promise<SendOutcome> => {
    const gate =
      gates.get(webhook.id) ?? createSemaphore({ runningMax: PARALLEL_PER_WEBHOOK_MAX, waitMaxMs: WAIT_FOR_PLACE_MAX_MS });
    gates.set(webhook.id, gate);
    try {
      return await gate.run(() => sendInSpan(webhook, envelope, place));
    } catch (error) {
      if (!(error instanceof SemaphoreBusy)) throw error;
      return { status: 'ReceiverBusy', error: 'earlier deliveries were still waiting for an answer, so this one was not sent' };
    } finally {
      if (gate.isIdle()) gates.delete(webhook.id);
    }
  };
}
