import { z } from 'zod';
import { createWebhook as create } from '../../application/webhooks/webhooks';
import { operation } from '../http/operation';
import { ABOUT_KINDS, CreatedWebhook, CreateWebhookBody } from './schemas';

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'post',
  path: '/webhooks',
  tag: 'webhooks',
  summary: 'Create a webhook; only this response contains the secret',
  description: ABOUT_KINDS,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Webhooks:Create',
  userAction: true,
  params: z.object({}),
  query: z.object({}),
  body: CreateWebhookBody,
  response: CreatedWebhook,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
