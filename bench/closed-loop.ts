export type Loop = { readonly seconds: number; readonly latenciesMs: readonly number[] };

/** Runs `count` tasks in at most `atOnce` concurrent loops. `lane` is the number of the loop, counted from 0. */
export async function closedLoop(count: number, atOnce: number, work: (lane: number) => Promise<unknown>): Promise<Loop> {
  const latenciesMs: number[] = [];
  const started = performance.now();
  let begun = 0;
  const keepGoing = async (lane: number) => {
    while (begun < count) {
      begun += 1;
      const from = performance.now();
      await work(lane);
      latenciesMs.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, (_, lane) => keepGoing(lane)));
  return { seconds: (performance.now() - started) / 1_000, latenciesMs };
}
