import { z } from 'zod';
import { EmptyBody } from '../../application/bodies/empty';
import { pingWebhook as ping } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { WebhookParams, WebhookPing } from './schemas';

export const pingWebhook = operation({
  id: 'pingWebhook',
  method: 'post',
  path: '/webhooks/:webhookId/ping',
  tag: 'webhooks',
  summary: 'Send a test event that is not recorded',
  description:
    'The workflow `pingWebhook` sends one event of the kind `webhook.ping`, signed like every delivery, even to a webhook that ' +
    'is `Disabled`; if the delivery fails, the call still returns 200, and `status` reports the failure. Without a result ' +
    'within 12 seconds, the call returns 503 `NotReady`, and the user action is used up.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Ping',
  userAction: true,
  params: WebhookParams,
  query: z.object({}),
  body: EmptyBody,
  response: WebhookPing,
  handle: ({ params, authority }, services) => ping(services, authority, params.webhookId),
});
