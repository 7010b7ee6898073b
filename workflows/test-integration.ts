import { proxyActivities } from '@temporalio/workflow';
import type { IntegrationActivities } from '../activities/integrations/integrations';
import type { IntegrationTest } from '../domain/integrations';
import { routeOf } from '../domain/routes';
import type { TestIntegrationInput } from './test-integration.messages';

/** Asks the vendor only once, because the caller can repeat the test. */
export async function testIntegration({ orgId, routing: { kind } }: TestIntegrationInput): Promise<IntegrationTest> {
  const { pingVendor } = proxyActivities<IntegrationActivities>({
    taskQueue: routeOf(orgId).vendor(kind),
    startToCloseTimeout: '10 seconds',
    retry: { maximumAttempts: 1 },
    summary: `Test the credentials at ${kind}`,
  });
  return pingVendor({ orgId, kind });
}
