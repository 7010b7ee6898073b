import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhooks';
import { ATTEMPTS_MAX, attemptDueMs } from '../domain/webhooks';
import type { DeliverWebhookInput } from './deliver-webhook.messages';

const { attemptDelivery } = proxyActivities<WebhookActivities>({
  // An attempt waits up to ten seconds for a free place of the webhook, and up to five seconds for the reply.
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Retries a delivery whose first attempt failed. Ends early when an attempt succeeds or the webhook is no longer enabled. */
export async function deliverWebhook({ orgId, id, routing }: DeliverWebhookInput): Promise<string> {
  const firstAttemptMs = Date.parse(routing.firstAttempt);
  for (let attempt = 2; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const dueMs = attemptDueMs(firstAttemptMs, attempt) ?? firstAttemptMs;
    const at = new Date(dueMs).toISOString().slice(0, 16).replace('T', ' ');
    setCurrentDetails(`Attempt ${attempt - 1} of ${ATTEMPTS_MAX} failed. The next one is due at ${at} UTC.`);
    await sleep(Math.max(0, dueMs - Date.now()), { summary: `Until attempt ${attempt} of ${ATTEMPTS_MAX}` });
    const outcome = await attemptDelivery({ orgId, firstId: id, attempt });
    if (outcome !== 'Failed') return outcome;
  }
  return 'GivenUp';
}
