import { proxyActivities } from '@temporalio/workflow';
import type { FloorActivities } from './activities';

/** Each member has the same name and about the same length as in the input of a transfer's workflow. */
export type FloorInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: {
    readonly activity: keyof FloorActivities;
    /** The queue of each step, separated by commas; empty for no steps. */
    readonly queues: string;
    readonly walletId: string;
    readonly network: string;
  };
};

/** The same retry policy as for a transfer's steps. */
const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/**
 * Runs one activity on each queue of `routing.queues`. A transfer with the same number of
 * activities cannot cost less on Temporal.
 */
export async function floor({ orgId, id, routing }: FloorInput): Promise<'Confirmed'> {
  for (const taskQueue of routing.queues.split(',').filter((name) => name !== '')) {
    const options = { taskQueue, startToCloseTimeout: '30 seconds', retry, summary: 'One step of the floor' } as const;
    await proxyActivities<FloorActivities>(options)[routing.activity]({ orgId, transferId: id });
  }
  return 'Confirmed';
}
