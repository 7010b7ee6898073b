import { CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { KeyActivities } from '../activities/keys/keys';
import { routeOf } from '../domain/routes';
import type { CreateKeyInput } from './create-key.messages';

/**
 * Asks the signer until the signer has made the key. Ignores cancellation, because a cancelled run would leave the key
 * unfinished.
 */
export async function createKey({ orgId, id }: CreateKeyInput): Promise<void> {
  const { makeKey } = proxyActivities<KeyActivities>({
    taskQueue: routeOf(orgId).signer,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
    summary: 'Create the key in the signer and make it active',
  });
  setCurrentDetails('Waiting for the signer to create the key');
  await CancellationScope.nonCancellable(() => makeKey({ orgId, keyId: id }));
  setCurrentDetails('The key is active');
}
