import { z } from 'zod';
import { updateWebhook as update } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { ABOUT_KINDS, UpdateWebhookBody, Webhook, WebhookParams } from './schemas';

export const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'put',
  path: '/webhooks/:webhookId',
  tag: 'webhooks',
  summary: 'Change a webhook',
  description:
    ABOUT_KINDS +
    ' Omitted members stay unchanged, and the secret cannot be changed; a `url` is checked as in `createWebhook` (400 ' +
    '`WebhookTargetRefused`). Events that happen while a webhook is `Disabled` are not delivered later, and a retry that falls ' +
    'due in that time is not sent and ends the retries of its event.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Update',
  userAction: true,
  params: WebhookParams,
  query: z.object({}),
  body: UpdateWebhookBody,
  response: Webhook,
  handle: ({ params, body, authority }, services) => update(services, authority, params.webhookId, body),
});
