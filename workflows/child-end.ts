import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ActivityFailure, ChildWorkflowFailure, condition } from '@temporalio/workflow';

const LOST_RETRY_MS = 60_000;

/**
 * The end of a child. `Lost` where somebody ended it from outside, or where that of an earlier run of the parent still closes: rows are to be
 * read again then, and another child is started. An activity that failed for good fails the parent like one of its own.
 */
export async function childEnd<T>(child: () => Promise<T>, isWoken: () => boolean): Promise<T | 'Lost'> {
  try {
    return await child();
  } catch (error) {
    if (error instanceof ChildWorkflowFailure && error.cause instanceof ActivityFailure) throw error.cause;
    if (!(error instanceof ChildWorkflowFailure || error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await condition(isWoken, LOST_RETRY_MS, { summary: 'Its workflow was lost: another one is started' });
    return 'Lost';
  }
}
