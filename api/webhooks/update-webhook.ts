import { z } from 'zod';
import { updateWebhook as update } from '../../application/webhooks';
import { operation } from '../http/operation';
import { SILENT_KINDS, UpdateWebhookBody, Webhook, WebhookParams } from './schemas';

export const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'put',
  path: '/webhooks/:webhookId',
  tag: 'webhooks',
  summary: 'Change a webhook; what is left out stays as it is',
  description: SILENT_KINDS,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Update',
  userAction: true,
  params: WebhookParams,
  query: z.object({}),
  body: UpdateWebhookBody,
  response: Webhook,
  handle: ({ params, body, authority }, services) => update(services, authority, params.webhookId, body),
});
