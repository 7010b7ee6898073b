import { proxyActivities } from '@temporalio/workflow';
import type { KeyActivities } from '../activities/keys/keys';
import type { SignerFacts } from '../domain/key-stores';
import { routeOf } from '../domain/routes';
import type { ListSignersInput } from './list-signers.messages';

/** Asks the signer for the API, because the API itself reaches only the database and the workflows. */
export async function listSigners({ orgId }: ListSignersInput): Promise<SignerFacts> {
  const { readSigner } = proxyActivities<KeyActivities>({
    taskQueue: routeOf(orgId).signer,
    startToCloseTimeout: '5 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '2 seconds' },
    summary: 'Ask the signer for its identity',
  });
  return readSigner();
}
