import { proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhooks';
import type { PingWebhookInput, PingWebhookResult } from './ping-webhook.messages';

const { sendPing } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '20 seconds',
  // A test event that may have been sent is not sent again; the caller can request another test event.
  retry: { maximumAttempts: 1 },
  summary: 'Send a test event to the webhook',
});

/** Sends the test event for the API, because the API itself reaches only the database and the workflows. */
export async function pingWebhook({ orgId, routing }: PingWebhookInput): Promise<PingWebhookResult> {
  return sendPing({ orgId, webhookId: routing.webhookId });
}
