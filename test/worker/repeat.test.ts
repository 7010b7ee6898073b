import { repeat } from '../../worker/repeat';
import { waitUntil } from '../support/wait-until';

test('the work is repeated, and never runs twice at the same time', async () => {
  let underWay = 0;
  let most = 0;
  let done = 0;
  const leave = repeat({
    everyMs: 1,
    work: async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      done += 1;
    },
  });
  await waitUntil('three times', () => done >= 3);
  await leave();
  expect(most).toBe(1);
});

test('a stop resolves when the current run has ended, and no further run begins', async () => {
  let begun = 0;
  let ended = 0;
  let finish = (): void => undefined;
  const leave = repeat({
    everyMs: 1,
    work: async () => {
      begun += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      ended += 1;
    },
  });
  await waitUntil('the first time', () => begun === 1);
  const left = leave();
  expect(ended).toBe(0);
  finish();
  await left;
  expect({ begun, ended }).toEqual({ begun: 1, ended: 1 });
});

test('a stop during a pause resolves at once', async () => {
  let begun = 0;
  const leave = repeat({
    everyMs: 3_600_000,
    work: async () => {
      begun += 1;
    },
  });
  await leave();
  expect(begun).toBe(0);
});
