import { proxyActivities } from '@temporalio/workflow';
import type { FloorActivities } from './activities';

/**
 * The input of a floor workflow. Each member has the same name and about the same length as in the input of a transfer's
 * workflow. `routing.queues` determines the steps that the workflow runs.
 */
export type FloorInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: {
    readonly activity: keyof FloorActivities;
    /** The queue of each step, separated by commas. Empty for a workflow without steps. */
    readonly queues: string;
    readonly walletId: string;
    readonly network: string;
  };
};

/** The retry policy of a transfer's steps. */
const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/**
 * Runs one activity on each queue and does nothing else. A transfer that runs on Temporal cannot cost less, however it is
 * implemented.
 */
export async function floor({ orgId, id, routing }: FloorInput): Promise<'Confirmed'> {
  for (const taskQueue of routing.queues.split(',').filter((name) => name !== '')) {
    const options = { taskQueue, startToCloseTimeout: '30 seconds', retry, summary: 'One step of the floor' } as const;
    await proxyActivities<FloorActivities>(options)[routing.activity]({ orgId, transferId: id });
  }
  return 'Confirmed';
}
