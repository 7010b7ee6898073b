type Repetition = {
  readonly everyMs: number;
  /** Must catch and report its own errors. An error that this function throws would end the loop and the process. */
  readonly work: () => Promise<void>;
};

/**
 * Repeats the work, with a pause before each run, so that runs never overlap. The returned function stops the loop and resolves
 * when no run is under way. The caller can then close connections safely.
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
