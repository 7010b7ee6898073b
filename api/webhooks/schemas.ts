import { z } from 'zod';
import { SUBSCRIBABLE_KINDS } from '../../domain/events';
import { WEBHOOK_URL_LENGTH_MAX } from '../../domain/webhooks';
import { IsoDate } from '../http/iso-date';
import { keptName, snapshot } from '../http/snapshots';

export const WebhookParams = z.object({ webhookId: z.string().min(1).max(64) });
export const WebhookEventParams = WebhookParams.extend({ webhookEventId: z.string().min(1).max(64) });

export const WebhookEventKind = z.enum(SUBSCRIBABLE_KINDS);
const WebhookSubscriptionKind = z.enum([...SUBSCRIBABLE_KINDS, '*']);
const WebhookStatus = z.enum(['Enabled', 'Disabled']).describe('A Disabled webhook receives no events');

/** Checks only the syntax. The address to which the host name resolves is checked at each delivery. */
const WebhookUrl = z
  .string()
  .max(WEBHOOK_URL_LENGTH_MAX)
  .refine((text) => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text), 'must be an http or https address')
  .describe('An absolute https address; http only in a local trial installation');

const DESCRIPTION_CHARS_MAX = 256;
const Description = z.string().max(DESCRIPTION_CHARS_MAX).describe('For people');
const Subscriptions = z
  .array(WebhookSubscriptionKind)
  .min(1)
  .max(SUBSCRIBABLE_KINDS.length + 1)
  .describe('The kinds of events to deliver; `*` means all kinds');

export const ABOUT_KINDS =
  'Every kind of the published interface is accepted in `events`. If this release does not emit some of them, the header ' +
  '`strongroom-warning` contains `EventsNotProduced` and lists them; `webhooks` in this document lists the kinds that it ' +
  'emits. `webhook.event.retry.triggered` goes to the other webhooks of the organisation: the webhook whose delivery failed ' +
  'receives the retry itself.';

export const CreateWebhookBody = z
  .strictObject({
    url: WebhookUrl,
    status: WebhookStatus.default('Enabled'),
    description: Description.optional(),
    events: Subscriptions,
  })
  .meta({ id: 'CreateWebhookBody' });

export const UpdateWebhookBody = z
  .strictObject({
    url: WebhookUrl.optional(),
    status: WebhookStatus.optional(),
    description: Description.optional(),
    events: Subscriptions.optional(),
  })
  .meta({ id: 'UpdateWebhookBody' });

const webhook = {
  id: z.string(),
  url: z.string(),
  events: z.array(keptName(WebhookSubscriptionKind)),
  status: WebhookStatus,
  description: z.string().optional(),
  dateCreated: IsoDate,
  dateUpdated: IsoDate,
};

export const Webhook = z.object(webhook).meta({ id: 'Webhook' });

export const CreatedWebhook = z
  .object({ ...webhook, secret: z.string().meta({ description: 'Signs every delivery; only this response contains it' }) })
  .meta({ id: 'CreatedWebhook' });

export const WebhookPing = z.object({
  status: z
    .string()
    .meta({ description: 'HTTP status of the receiver as text, or the code of the failure that prevented a response' }),
  error: z.string().optional().describe('Absent for the status 200, the only status that confirms receipt'),
});

export const WebhookEvent = z
  .object({
    id: z.string(),
    date: IsoDate.meta({ description: 'When the event happened' }),
    kind: WebhookEventKind,
    data: snapshot('eventData'),
    status: z.string().meta({
      description: 'HTTP status of the receiver as text, the code of the failure that prevented a response, or Pending',
    }),
    error: z.string().optional().describe('Why the attempt failed, as text for people'),
    timestampSent: z.number().int().meta({ description: 'Unix seconds' }),
    deliveryFailed: z.boolean().describe('False while the status is Pending'),
    deliveryAttempt: z.number().int().describe('1 for the first attempt, 5 for the last'),
    retryOf: z.string().optional().meta({ description: 'ID of the first attempt; absent on the first attempt itself' }),
    nextAttemptDate: IsoDate.optional().meta({ description: 'When the next attempt is due; absent if none follows' }),
  })
  .meta({ id: 'WebhookEvent' });
