import { type ActivityInterfaceFor, proxyLocalActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { JUDGED_HERE } from '../domain/judgements';

type Steps = ActivityInterfaceFor<Activities>;

/** Short, because a local attempt occupies one of the few workflow tasks that a worker processes at once. */
const TIMEOUT_MS = 2_000;
const here = proxyLocalActivities<Activities>({ startToCloseTimeout: TIMEOUT_MS, retry: { maximumAttempts: 1 } });

/**
 * A local activity saves the server a task and three events. After one failed local attempt the activity runs on the queue,
 * because each further local attempt would lengthen the history. A run without the mark `JUDGED_HERE` uses the queue at once.
 */
export async function localThenQueue<T>(
  routing: { readonly judged?: string } | undefined,
  queue: Steps,
  run: (steps: Steps) => Promise<T>,
): Promise<T> {
  if (routing?.judged !== JUDGED_HERE.judged) return run(queue);
  try {
    return await run(here);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return await run(queue);
  }
}
