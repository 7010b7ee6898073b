import { createSemaphore, type Semaphore, SemaphoreBusy } from '../../../platform/semaphore';

type Bounds = {
  readonly atOnceMax: number;
  /** Work that has waited this long starts in addition to the rest: a slow node must not let one sender hold every slot of its network's queue. */
  readonly waitMaxMs: number;
};

/** Returns a function that runs at most `atOnceMax` pieces of work per lane, in the order of the calls. Lanes do not wait for each other. */
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
