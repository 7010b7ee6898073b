import { z } from 'zod';
import { createWebhook as create } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { ABOUT_KINDS, CreatedWebhook, CreateWebhookBody } from './schemas';

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'post',
  path: '/webhooks',
  tag: 'webhooks',
  summary: 'Create a webhook',
  description:
    ABOUT_KINDS +
    ' A webhook receives the events that happen after its creation; an organisation can have at most 5 webhooks, and the call ' +
    'returns 400 `WebhookLimitReached` if it already has 5. The call returns 400 `WebhookTargetRefused` if the `url` has no ' +
    'https in production, contains credentials, or contains an IP address that is not public; each delivery resolves the host ' +
    'name and checks its address, and a local trial installation may allow http and loopback addresses.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Create',
  userAction: true,
  params: z.object({}),
  query: z.object({}),
  body: CreateWebhookBody,
  response: CreatedWebhook,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
