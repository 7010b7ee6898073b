import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { chainQueueOf } from '../domain/routes';

export type FollowerInput = { readonly network: string };

/** This bound keeps the history far below the server's limits. */
const ROUNDS_MAX = 200;

/** One activity does all the work, for all transfers of the network together (P2). */
export async function networkFollower({ network }: FollowerInput): Promise<void> {
  const { followNetwork } = proxyActivities<Activities>({
    taskQueue: chainQueueOf(network),
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '500 milliseconds', maximumInterval: '10 seconds' },
    summary: `Following ${network}`,
  });
  for (let round = 0; round < ROUNDS_MAX; round += 1) await followNetwork({ network });
  await continueAsNew<typeof networkFollower>({ network });
}
