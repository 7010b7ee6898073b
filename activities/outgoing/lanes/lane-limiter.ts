import { createSemaphore, type Semaphore, SemaphoreBusy } from '../../../platform/semaphore';

type Bounds = {
  readonly atOnceMax: number;
  /**
   * A task that has waited this long runs in addition to the `atOnceMax` tasks. Waiting tasks occupy workers, and the tasks of
   * one sender must not occupy all workers of the queue.
   */
  readonly waitMaxMs: number;
};

/**
 * Runs the tasks of a lane (the queue of one sender) in the order of the calls, at most `atOnceMax` at once. A task that has
 * waited `waitMaxMs` runs in any case.
 */
export function createLaneLimiter({ atOnceMax, waitMaxMs }: Bounds) {
  const gates = new Map<string, Semaphore>();
  return async <T>(lane: string, work: () => Promise<T>): Promise<T> => {
    const gate = gates.get(lane) ?? createSemaphore({ runningMax: atOnceMax, waitMaxMs });
    gates.set(lane, gate);
    let isIn = false;
    try {
      return await gate.run(() => {
        isIn = true;
        return work();
      });
    } catch (error) {
      if (isIn || !(error instanceof SemaphoreBusy)) throw error;
      return await work();
    } finally {
      if (gate.isIdle()) gates.delete(lane);
    }
  };
}
