import { createSemaphore, SemaphoreBusy } from '../../platform/semaphore';

/** A task that ends when `end` is called. */
function work() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
}

test('at most the allowed number of tasks runs at once, and waiting tasks start in order', async () => {
  const gate = createSemaphore({ runningMax: 2, waitMaxMs: 10_000 });
  const begun: number[] = [];
  const works = [work(), work(), work(), work()];
  const runs = works.map(({ run }, index) =>
    gate.run(() => {
      begun.push(index);
      return run();
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  works[1]?.end();
  await runs[1];
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2]);
  for (const { end } of works) end();
  await Promise.all(runs);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(gate.isIdle()).toBe(true);
});

test('a task that waits too long is refused, and never runs later', async () => {
  const gate = createSemaphore({ runningMax: 1, waitMaxMs: 20 });
  const first = work();
  const running = gate.run(first.run);
  await expect(gate.run(() => Promise.resolve('late'))).rejects.toThrow(SemaphoreBusy);
  first.end();
  await running;
  expect(gate.isIdle()).toBe(true);
  expect(await gate.run(() => Promise.resolve('next'))).toBe('next');
});

test('a task that fails frees its place', async () => {
  const gate = createSemaphore({ runningMax: 1, waitMaxMs: 20 });
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(() => Promise.resolve('next'))).toBe('next');
});
