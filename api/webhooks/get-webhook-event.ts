import { z } from 'zod';
import { getWebhookEvent as get } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { WebhookEvent, WebhookEventParams } from './schemas';

export const getWebhookEvent = operation({
  id: 'getWebhookEvent',
  method: 'get',
  path: '/webhooks/:webhookId/events/:webhookEventId',
  tag: 'webhooks',
  summary: 'Read one delivery attempt',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Events:Read',
  userAction: false,
  params: WebhookEventParams,
  query: z.object({}),
  body: z.undefined(),
  response: WebhookEvent,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.webhookId, params.webhookEventId),
});
