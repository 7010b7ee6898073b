type Repetition = {
  readonly everyMs: number;
  /** Must report its own failures: one that throws would end the repetition and the process. */
  readonly work: () => Promise<void>;
};

/**
 * Repeats the work, the pause counted from the end of the last time, so that a slow target is not asked by several at once. Returns a function that
 * stops it; that resolves when nothing is under way any more, so that connections can be closed safely afterwards.
 */
export function repeat({ everyMs, work }: Repetition): () => Promise<void> {
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  let pause: NodeJS.Timeout | undefined;
  const again = (): void => {
    if (stopped) return;
    pause = setTimeout(() => {
      underWay = work().then(again);
    }, everyMs);
  };
  again();
  return async () => {
    stopped = true;
    clearTimeout(pause);
    await underWay;
  };
}
