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
    ' A webhook receives the events that happen after its creation; an organisation has at most 5 webhooks, and a ' +
    'further one causes 400 `WebhookLimitReached`. A `url` with credentials, or with an IP address that is neither ' +
    'public nor loopback, causes 400 `WebhookTargetRefused`; each delivery resolves and checks the host name, and ' +
    'requires https and a public address unless the installation allows loopback receivers.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Create',
  userAction: true,
  params: z.object({}),
  query: z.object({}),
  body: CreateWebhookBody,
  response: CreatedWebhook,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
