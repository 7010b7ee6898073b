/** Runs at most `runningMax` tasks at a time. Further tasks wait in order. */
export type Semaphore = {
  /** Throws `SemaphoreBusy` if no slot becomes free in time. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isIdle: () => boolean;
};

export class SemaphoreBusy extends Error {
  override readonly name = 'SemaphoreBusy';
}

export function createSemaphore({
  runningMax,
  waitMaxMs,
}: {
  readonly runningMax: number;
  readonly waitMaxMs: number;
}): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < runningMax) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(new SemaphoreBusy(`no slot became free within ${waitMaxMs} ms`));
      }, waitMaxMs);
      // A finished task passes its slot on to a waiting task, so `running` stays the same.
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(admit);
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    isIdle: () => running === 0,
  };
}
