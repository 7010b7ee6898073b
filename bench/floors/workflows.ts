import { proxyActivities } from '@temporalio/workflow';
import type { FloorActivities } from './activities';

/** The same members as a transfer's input, of about the same length, with the steps in the routing. */
export type FloorInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: {
    readonly activity: keyof FloorActivities;
    /** Queues of the steps, with commas between them; empty for a workflow that does nothing. */
    readonly queues: string;
    readonly walletId: string;
    readonly network: string;
  };
};

/** The options of a transfer's steps. */
const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/** As many steps as a transfer has, on as many queues, and nothing else: the lower bound of any implementation on Temporal. */
export async function floor({ orgId, id, routing }: FloorInput): Promise<'Confirmed'> {
  for (const taskQueue of routing.queues.split(',').filter((name) => name !== '')) {
    const options = { taskQueue, startToCloseTimeout: '30 seconds', retry, summary: 'One step of the floor' } as const;
    await proxyActivities<FloorActivities>(options)[routing.activity]({ orgId, transferId: id });
  }
  return 'Confirmed';
}
