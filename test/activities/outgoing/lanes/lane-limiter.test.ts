import { createLaneLimiter } from '../../../../activities/outgoing/lanes/lane-limiter';
import { SemaphoreBusy } from '../../../../platform/semaphore';

const held = () => {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
};
const settled = () => new Promise(setImmediate);

test('one lane (the queue of one sender) runs as many tasks as allowed, other lanes are not delayed, and the next task follows in order', async () => {
  const limited = createLaneLimiter({ atOnceMax: 2, waitMaxMs: 10_000 });
  const begun: string[] = [];
  const works = Array.from({ length: 4 }, held);
  const runs = works.map(({ run }, n) =>
    limited('busy', () => {
      begun.push(`busy ${n}`);
      return run();
    }),
  );
  await limited('idle', async () => void begun.push('idle'));
  expect(begun).toEqual(['busy 0', 'busy 1', 'idle']);
  works[1]?.end();
  await runs[1];
  await settled();
  expect(begun.slice(3)).toEqual(['busy 2']);
  for (const { end } of works) end();
  await Promise.all(runs);
  expect(begun.slice(4)).toEqual(['busy 3']);
});

test('a task that has waited for the maximum runs although the lane is full', async () => {
  const limited = createLaneLimiter({ atOnceMax: 1, waitMaxMs: 20 });
  const first = held();
  const running = limited('lane', first.run);
  await expect(limited('lane', async () => 'impatient')).resolves.toBe('impatient');
  first.end();
  await running;
  await expect(limited('lane', async () => 'next')).resolves.toBe('next');
});

test('a task that fails is not run again, whatever its error, and frees its place', async () => {
  const limited = createLaneLimiter({ atOnceMax: 1, waitMaxMs: 20 });
  let runs = 0;
  const failing = () => {
    runs += 1;
    return Promise.reject(new SemaphoreBusy('of a gate inside'));
  };
  await expect(limited('lane', failing)).rejects.toThrow('of a gate inside');
  expect(runs).toBe(1);
  await expect(limited('lane', async () => 'next')).resolves.toBe('next');
});
