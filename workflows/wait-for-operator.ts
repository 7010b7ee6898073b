import { ActivityFailure, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';

const OPERATOR_RETRY_MS = 300_000;
/** The server ends a workflow at 51,200 events. A long wait with many attempts would reach that number. */
const HISTORY_EVENTS_MAX = 2_000;

/** Whether the workflow should continue in a new run. */
export function hasGrownLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= HISTORY_EVENTS_MAX || continueAsNewSuggested;
}

/**
 * If a step fails permanently, repeats the step every five minutes until an operator has removed the cause. From `Signing` on,
 * only the signer and the chain may end a record.
 */
export async function waitForOperator<T>(what: string, run: () => Promise<T>, renew: () => Promise<void>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      setCurrentDetails(
        `**Stopped while ${what}**: see the failed activity. It is tried again every five minutes; nothing is lost.`,
      );
      await sleep(OPERATOR_RETRY_MS, { summary: `Stopped while ${what}` });
      await renew();
    }
  }
}
