import { CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { KeyActivities } from '../activities/keys/keys';
import { routeOf } from '../domain/routes';
import type { KeyRequestInput } from './key-request.messages';

/**
 * The workflow contains only ids, because the request and the result are sealed in the row. Ignores cancellation, because the
 * signer may already have executed the order.
 */
export async function keyRequest({ orgId, id }: KeyRequestInput): Promise<void> {
  const { carryOutKeyRequest } = proxyActivities<KeyActivities>({
    taskQueue: routeOf(orgId).signer,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
    summary: 'Ask the signer, and store its answer in the row of the request',
  });
  setCurrentDetails('Waiting for the signer');
  await CancellationScope.nonCancellable(() => carryOutKeyRequest({ orgId, requestId: id }));
  setCurrentDetails('The request has ended');
}
