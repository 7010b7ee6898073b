import { z } from 'zod';
import { webhookEventView } from '../../application/webhooks/view';
import { listWebhookEvents as list } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../http/pagination';
import { WebhookEvent, WebhookEventKind, WebhookParams } from './schemas';

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  method: 'get',
  path: '/webhooks/:webhookId/events',
  tag: 'webhooks',
  summary: 'List the delivery attempts of a webhook, newest first',
  description:
    'An event is attempted up to five times: at once, and 1 minute, 12 minutes, 2 hours and 24 hours after the first attempt, ' +
    'until the receiver returns 200 within 5 seconds. Each attempt is a separate entry, and entries are removed after 31 days. ' +
    'A first attempt that fails emits `webhook.event.retry.triggered` to the other webhooks of the organisation.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Events:Read',
  userAction: false,
  params: WebhookParams,
  query: PageQuery.extend({
    kind: WebhookEventKind.optional().describe('Only attempts to deliver events of this kind'),
    deliveryFailed: z
      .enum(['true', 'false'])
      .optional()
      .describe('If true, only attempts that failed; if false, only the other attempts, including `Pending` attempts'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(WebhookEvent), nextPageToken: NextPageToken }),
  handle: async ({ params, query, authority }, { db }) => {
    const { kind, limit, paginationToken } = query;
    const deliveryFailed = query.deliveryFailed === undefined ? undefined : query.deliveryFailed === 'true';
    const filter = { kind, deliveryFailed, after: afterOf(paginationToken), limit };
    const page = pageOf(await list(db.read(authority.caller.orgId), params.webhookId, filter), limit);
    return { items: page.rows.map(webhookEventView), nextPageToken: page.nextPageToken };
  },
});
