type Repetition = {
  readonly everyMs: number;
  /** Its refusals are its own to tell: one that throws would end the repetition and the process. */
  readonly work: () => Promise<void>;
};

/**
 * Does the work again and again, the pause counted from the end of the last time, so that whoever is slow is not asked by
 * several at once. Answers how to leave off; that ends when nothing is under way any more, so that a connection which is
 * closed afterwards is missed by nobody.
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
