import { createSemaphore, type Semaphore, SemaphoreBusy } from '../../../platform/semaphore';

type Bounds = {
  readonly atOnceMax: number;
  /**
   * A task that has waited this long runs even if `atOnceMax` tasks of its lane are running. A waiting task occupies a worker
   * of the network's queue. One sender with a slow node must not occupy all workers of the queue.
   */
  readonly waitMaxMs: number;
};

/**
 * Returns a function that runs at most `atOnceMax` tasks per lane, in the order of the calls. The tasks of one lane do not wait
 * for the tasks of another lane.
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
