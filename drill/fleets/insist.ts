import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../local/client';

const ASK_AGAIN_MS = 300;

/**
 * Repeats the attempt until the attempt succeeds. Throws a permanent refusal at once, and any other error after the deadline.
 */
export async function insist<T>(deadline: number, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 401) throw error;
      if (performance.now() > deadline) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
}
