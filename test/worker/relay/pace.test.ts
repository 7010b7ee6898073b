import { createPace, within } from '../../../worker/relay/pace';

test('a nudge ends the pause that is under way', async () => {
  const pace = createPace();
  const pause = pace.pause(60_000);
  pace.hurry();
  expect(await pause).toBe(true);
});

test('a nudge outside of a pause ends the next pause, and only that one', async () => {
  const pace = createPace();
  pace.hurry();
  expect(await pace.pause(60_000)).toBe(true);
  expect(await pace.pause(1)).toBe(false);
});

test('work that hangs is abandoned after the limit, and work in time returns its result', async () => {
  await expect(within(5, new Promise(() => {}))).rejects.toThrow('not done within 5 ms');
  expect(await within(60_000, Promise.resolve('done'))).toBe('done');
});
