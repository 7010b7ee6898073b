import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { chainQueueOf } from '../domain/routes';

export type ScannerInput = { readonly network: string };

/** This bound keeps the history far below the server's limits. */
const ROUNDS_MAX = 200;

/** One activity reads every block of the network, for all organisations together (P2). */
export async function networkScanner({ network }: ScannerInput): Promise<void> {
  const { scanNetwork } = proxyActivities<Activities>({
    taskQueue: chainQueueOf(network),
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '500 milliseconds', maximumInterval: '10 seconds' },
    summary: `Reading ${network}`,
  });
  for (let round = 0; round < ROUNDS_MAX; round += 1) await scanNetwork({ network });
  await continueAsNew<typeof networkScanner>({ network });
}
