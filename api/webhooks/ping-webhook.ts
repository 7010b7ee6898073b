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
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Ping',
  userAction: true,
  params: WebhookParams,
  query: z.object({}),
  body: EmptyBody,
  response: WebhookPing,
  handle: ({ params, authority }, services) => ping(services, authority, params.webhookId),
});
