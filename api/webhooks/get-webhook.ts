import { z } from 'zod';
import { getWebhook as get } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { Webhook, WebhookParams } from './schemas';

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'get',
  path: '/webhooks/:webhookId',
  tag: 'webhooks',
  summary: 'Read one webhook',
  description: 'Returns the webhook without its secret. The call returns 404 `NotFound` if the webhook was deleted.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Read',
  userAction: false,
  params: WebhookParams,
  query: z.object({}),
  body: z.undefined(),
  response: Webhook,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.webhookId),
});
