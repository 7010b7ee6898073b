import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ActivityFailure, ChildWorkflowFailure, condition } from '@temporalio/workflow';

const LOST_RETRY_MS = 60_000;

/**
 * `Lost` means that the child was ended from outside, or that the child of an earlier run of the parent is still closing. The
 * parent then reads the rows again and starts another child. If an activity of the child failed permanently, throws the error
 * of that activity.
 */
export async function childEnd<T>(child: () => Promise<T>, isWoken: () => boolean): Promise<T | 'Lost'> {
  try {
    return await child();
  } catch (error) {
    if (error instanceof ChildWorkflowFailure && error.cause instanceof ActivityFailure) throw error.cause;
    if (!(error instanceof ChildWorkflowFailure || error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await condition(isWoken, LOST_RETRY_MS, { summary: 'The workflow was lost; another run is started' });
    return 'Lost';
  }
}
