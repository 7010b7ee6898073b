import { createTurns } from '../../../activities/backfills/turns';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
});
const turns = () => createTurns(() => now);

test('only one back-fill at a time has the turn to read blocks, and the back-fill that has waited longest is next', () => {
  const { take, leave } = turns();
  expect([take('a'), take('b'), take('c')]).toEqual([true, false, false]);
  leave('a', 0);
  expect([take('a'), take('c'), take('b')]).toEqual([false, false, true]);
  leave('b', 0);
  expect([take('b'), take('a'), take('c')]).toEqual([false, false, true]);
});

test('no back-fill has the turn during the pause after a turn', () => {
  const { take, leave } = turns();
  expect(take('a')).toBe(true);
  leave('a', 400);
  now += 399;
  expect(take('b')).toBe(false);
  now += 1;
  expect(take('b')).toBe(true);
});

test('a back-fill that has not asked for the turn within the last minute no longer waits', () => {
  const { take, leave } = turns();
  expect([take('a'), take('b')]).toEqual([true, false]);
  leave('a', 0);
  now += 60_000;
  expect(take('c')).toBe(false);
  now += 1;
  expect(take('c')).toBe(true);
});

test('only the holder of the turn can end it', () => {
  const { take, leave } = turns();
  expect(take('a')).toBe(true);
  leave('b', 0);
  expect(take('b')).toBe(false);
});
