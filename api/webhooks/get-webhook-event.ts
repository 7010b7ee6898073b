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
  description:
    'Returns the attempt with the data of its event and the result of the delivery. The call returns 404 `NotFound` if the ' +
    'attempt belongs to another webhook or a deleted webhook, or was removed after 31 days.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Events:Read',
  userAction: false,
  params: WebhookEventParams,
  query: z.object({}),
  body: z.undefined(),
  response: WebhookEvent,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.webhookId, params.webhookEventId),
});
