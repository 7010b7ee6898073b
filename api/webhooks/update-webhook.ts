import { z } from 'zod';
import { updateWebhook as update } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { ABOUT_KINDS, UpdateWebhookBody, Webhook, WebhookParams } from './schemas';

export const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'put',
  path: '/webhooks/:webhookId',
  tag: 'webhooks',
  summary: 'Change a webhook; omitted members stay unchanged',
  description: ABOUT_KINDS,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Update',
  userAction: true,
  params: WebhookParams,
  query: z.object({}),
  body: UpdateWebhookBody,
  response: Webhook,
  handle: ({ params, body, authority }, services) => update(services, authority, params.webhookId, body),
});
