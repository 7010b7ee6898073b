import { type Client, WorkflowNotFoundError } from '@temporalio/client';

export type WorkflowStatus =
  | { readonly kind: 'Unknown' }
  | { readonly kind: 'Running' }
  | { readonly kind: 'Ended'; readonly how: string; readonly closeTime: Date | undefined };

/** Throws if Temporal cannot be reached; the status of the workflow is then unknown. */
export type WorkflowStatusOf = (workflowId: string) => Promise<WorkflowStatus>;

const CALL_LIMIT_MS = 10_000;

export function workflowStatusOver(client: Client, callLimitMs = CALL_LIMIT_MS): WorkflowStatusOf {
  return async (workflowId) => {
    try {
      const { status, closeTime } = await client.withDeadline(Date.now() + callLimitMs, () =>
        client.workflow.getHandle(workflowId).describe(),
      );
      if (status.name === 'RUNNING' || status.name === 'PAUSED' || status.name === 'CONTINUED_AS_NEW') return { kind: 'Running' };
      return { kind: 'Ended', how: status.name, closeTime };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return { kind: 'Unknown' };
    }
  };
}
