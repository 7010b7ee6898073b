import { z } from 'zod';
import { EmptyBody } from '../../application/bodies/empty';
import { deleteWebhook as remove } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { WebhookParams } from './schemas';

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'delete',
  path: '/webhooks/:webhookId',
  tag: 'webhooks',
  summary: 'Delete a webhook and stop its pending deliveries',
  description:
    'Nothing more is sent to the webhook, and the webhook and the records of its deliveries can no longer be found. Repeating ' +
    'the call returns 404 `NotFound`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Delete',
  userAction: true,
  params: WebhookParams,
  query: z.object({}),
  body: EmptyBody,
  response: z.object({ deleted: z.literal(true) }),
  handle: async ({ params, authority }, services) => {
    await remove(services, authority, params.webhookId);
    return { deleted: true } as const;
  },
});
