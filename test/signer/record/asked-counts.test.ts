import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations';
import { countAsked, mostAsked } from '../../../signer/record/asked-counts';

const ORG = 'or-1';
const WALLET = 'wa-1';
const DAY = Date.parse('2026-11-29T00:00:00.000Z');
const FAR = DAY + 1_000 * DAY_MS;

function indexOf(times: readonly number[], walletIds: readonly string[] = [WALLET]) {
  const names = new Map<string, unknown>();
  const index = {
    get: <T>(name: string) => names.get(name) as T | undefined,
    put: (name: string, value: unknown) => void names.set(name, value),
  };
  for (const atMs of times) countAsked(index, ORG, { atMs, walletIds });
  return index;
}
const most = (times: readonly number[], timeframeMinutes: number, atMs: number, nowMs = FAR) =>
  mostAsked(indexOf(times), { orgId: ORG, walletId: WALLET, timeframeMinutes, atMs }, nowMs);
const at = (minute: number) => DAY + minute * MINUTE_MS;

test('a window of minutes contains the minute itself and the minutes before it', () => {
  const times = [at(10), at(11), at(12)];
  expect([1, 2, 3].map((minutes) => most(times, minutes, at(12)))).toEqual([1, 2, 3]);
  expect(most(times, 3, at(13))).toBe(2);
  expect(most(times, 3, at(15))).toBe(0);
});

test('a window that ends after the moment is considered too, unless it ends after the present time', () => {
  const times = [at(10), at(11), at(12)];
  expect(most(times, 3, at(10))).toBe(3);
  expect(most(times, 3, at(10), at(11))).toBe(2);
  expect(most(times, 3, at(10), at(0))).toBe(1);
});

test('only requests that fit into one window are counted, however many lie before and after', () => {
  const times = Array.from({ length: 20 }, (_one, minute) => at(minute));
  expect(most(times, 5, at(10))).toBe(5);
});

test.each([
  ['four hours are counted in hours', 240, HOUR_MS, 4],
  ['a minute less is counted in minutes', 239, MINUTE_MS, 239],
  ['four days are counted in days', 5_760, DAY_MS, 4],
  ['thirty days are counted in days', 43_200, DAY_MS, 30],
])('%s', (_title, minutes, spanMs, spans) => {
  const times = Array.from({ length: spans + 1 }, (_one, span) => DAY + span * spanMs);
  const last = times.at(-1) ?? 0;
  expect(most(times, minutes, last)).toBe(spans);
  expect(most(times.slice(1), minutes, last)).toBe(spans);
});

test('requests of other wallets and organisations are not counted, and a request counts for each of its wallets', () => {
  const index = indexOf([at(1)], [WALLET, 'wa-2']);
  const window = { orgId: ORG, walletId: 'wa-2', timeframeMinutes: 5, atMs: at(1) };
  expect(mostAsked(index, window, FAR)).toBe(1);
  expect(mostAsked(index, { ...window, walletId: 'wa-3' }, FAR)).toBe(0);
  expect(mostAsked(index, { ...window, orgId: 'or-2' }, FAR)).toBe(0);
});

test('the count never exceeds the true number of requests within the time of one window', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let run = 0; run < 300; run += 1) {
    const minutes = [1, 7, 90, 300, 6_000][run % 5] ?? 1;
    const times = Array.from({ length: 12 }, () => DAY + random(3 * minutes * MINUTE_MS));
    const moment = DAY + random(3 * minutes * MINUTE_MS);
    // Every window around the moment can be moved to begin at a request or at the moment without losing a request.
    const starts = [...times, moment].filter((start) => start <= moment && moment - start < minutes * MINUTE_MS);
    const counts = starts.map((start) => times.filter((one) => one >= start && one - start < minutes * MINUTE_MS).length);
    expect(most(times, minutes, moment)).toBeLessThanOrEqual(Math.max(...counts));
  }
});
