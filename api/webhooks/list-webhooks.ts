import { z } from 'zod';
import { webhookView } from '../../application/webhooks/view';
import { webhookStore } from '../../entities/webhooks/webhook.store';
import { operation } from '../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../http/pagination';
import { Webhook } from './schemas';

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  tag: 'webhooks',
  summary: 'List the webhooks of the organisation, newest first',
  description: 'Deleted webhooks are not listed. Only the response that creates a webhook contains its secret.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Read',
  userAction: false,
  params: z.object({}),
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(Webhook), nextPageToken: NextPageToken }),
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const rows = await webhookStore.list(db.read(authority.caller.orgId), { after: afterOf(paginationToken), limit });
    const page = pageOf(rows, limit);
    return { items: page.rows.map(webhookView), nextPageToken: page.nextPageToken };
  },
});
