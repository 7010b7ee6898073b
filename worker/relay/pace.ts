/** A pause that other code can cut short. */
export type Pace = {
  /** Resolves to true if `hurry` has ended the pause. */
  readonly pause: (pauseMs: number) => Promise<boolean>;
  /** Ends the pause. If no pause is under way, lets the next pause end at once. */
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
