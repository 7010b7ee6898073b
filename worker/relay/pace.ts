/** A pause that other code can cut short. */
export type Pace = {
  /** Returns true when it was cut short. */
  readonly pause: (pauseMs: number) => Promise<boolean>;
  /** Ends the pause, or lets the next one end at once when none is under way. */
  readonly hurry: () => void;
};

export function createPace(): Pace {
  let hurried = false;
  let wake: (() => void) | undefined;
  return {
    pause: async (pauseMs) => {
      if (!hurried) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pauseMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      const cutShort = hurried;
      hurried = false;
      return cutShort;
    },
    hurry: () => {
      hurried = true;
      wake?.();
    },
  };
}

/** Fails if the work is not done in time; the work itself may still continue. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
