import type { Operation } from '../http/operation';
import { createWebhook } from './create-webhook';
import { deleteWebhook } from './delete-webhook';
import { getWebhook } from './get-webhook';
import { getWebhookEvent } from './get-webhook-event';
import { listWebhookEvents } from './list-webhook-events';
import { listWebhooks } from './list-webhooks';
import { pingWebhook } from './ping-webhook';
import { updateWebhook } from './update-webhook';

export const webhookOperations: readonly Operation[] = [
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  pingWebhook,
  listWebhookEvents,
  getWebhookEvent,
];
