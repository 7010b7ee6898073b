import { z } from 'zod';
import { webhookEventView } from '../../application/webhooks/view';
import { listWebhookEvents as list } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { afterOf, PageQuery, pageOf } from '../http/pagination';
import { WebhookEvent, WebhookEventKind, WebhookParams } from './schemas';

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  method: 'get',
  path: '/webhooks/:webhookId/events',
  tag: 'webhooks',
  summary: 'List the delivery attempts of a webhook, newest first',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Events:Read',
  userAction: false,
  params: WebhookParams,
  query: PageQuery.extend({ kind: WebhookEventKind.optional(), deliveryFailed: z.enum(['true', 'false']).optional() }),
  body: z.undefined(),
  response: z.object({ items: z.array(WebhookEvent), nextPageToken: z.string().optional() }),
  handle: async ({ params, query, authority }, { db }) => {
    const { kind, limit, paginationToken } = query;
    const deliveryFailed = query.deliveryFailed === undefined ? undefined : query.deliveryFailed === 'true';
    const filter = { kind, deliveryFailed, after: afterOf(paginationToken), limit };
    const page = pageOf(await list(db.read(authority.caller.orgId), params.webhookId, filter), limit);
    return { items: page.rows.map(webhookEventView), nextPageToken: page.nextPageToken };
  },
});
