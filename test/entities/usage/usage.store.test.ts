import { usageStore } from '../../../entities/usage/usage.store';
import { newId } from '../../../platform/ids';
import type { TestDatabase } from '../../support/database';
import { eachInItsOrganization } from '../../support/own-organization';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;
let orgId: string;
let walletId: string;
eachInItsOrganization((...own) => {
  [database, orgId] = own;
  walletId = newId('wallet');
});

/** Activities of one micro-dollar each that were counted at these moments, with the sums that belong to them. */
const countedAt = (moments: readonly number[]) =>
  database.db.withOrg(orgId, async (tx) => {
    for (const at of moments) {
      await tx.query(
        `INSERT INTO usage_reservations (org_id, activity_id, wallet_id, amount_usd_micro, date_counted) VALUES ($1, $2, $3, 1, $4)`,
        [orgId, newId('transfer'), walletId, new Date(at)],
      );
    }
    for (const minutes of [1, 60]) {
      const startOf = (at: number) => at - (at % (minutes * MINUTE_MS));
      for (const start of new Set(moments.map(startOf))) {
        await tx.query(
          `INSERT INTO usage_sums (org_id, wallet_id, minutes, date_start, count, unknowns, amount_usd_micro) VALUES ($1, $2, $3, $4, $5::integer, 0, $5::integer)`,
          [orgId, walletId, minutes, new Date(start), moments.filter((at) => startOf(at) === start).length],
        );
      }
    }
  });

const counts = async (until: number, timeframes: readonly number[]) => {
  const windows = await usageStore.windows(database.db.read(orgId), {
    walletIds: [walletId],
    timeframes,
    until: new Date(until),
  });
  return timeframes.map((minutes) => windows.find(({ timeframeMinutes }) => timeframeMinutes === minutes)?.count);
};

describe('an activity exactly as old as the window is no longer included, and an activity a millisecond younger is included', () => {
  const places = [
    ['inside a minute', Date.UTC(2026, 0, 5, 10, 20, 30, 456)],
    ['on a minute', Date.UTC(2026, 0, 5, 10, 20)],
    ['on an hour', Date.UTC(2026, 0, 5, 10)],
    ['the last millisecond of an hour', Date.UTC(2026, 0, 5, 10) - 1],
    ['the last minute of an hour', Date.UTC(2026, 0, 5, 9, 59, 12, 1)],
    ['midnight', Date.UTC(2026, 0, 5)],
  ] as const;
  test.each(places)('%s', async (_name, at) => {
    await countedAt([at]);
    for (const minutes of [1, 2, 59, 60, 61, 1_440, 43_200]) {
      const edge = at + minutes * MINUTE_MS;
      expect([minutes, await counts(edge - 1, [minutes])]).toEqual([minutes, [1]]);
      expect([minutes, await counts(edge, [minutes])]).toEqual([minutes, [0]]);
    }
    expect(await counts(at, [1])).toEqual([1]);
  });
});

test('activities are still included after the clock was set back', async () => {
  const at = Date.UTC(2026, 0, 5, 10, 20);
  await countedAt([at]);
  expect(await counts(at - HOUR_MS, [1, 43_200])).toEqual([1, 1]);
});

test('rows, minutes and hours together count each activity of the window once, wherever the window begins', async () => {
  const start = Date.UTC(2026, 0, 1);
  // The steps differ, and do not divide a minute, an hour or a day.
  const moments = Array.from({ length: 400 }, (_, at) => start + at * 7_919_333 + (at % 7) * 61_003);
  await countedAt(moments);
  const timeframes = [1, 3, 59, 60, 61, 179, 1_439, 1_440, 10_007, 43_200];
  for (let step = 0; step < 60; step += 1) {
    const until = start + 30 * 24 * HOUR_MS + step * 12_345_679;
    const seen = moments.filter((at) => at <= until);
    const naive = timeframes.map((minutes) => moments.filter((at) => at > until - minutes * MINUTE_MS).length);
    expect(seen.length).toBeGreaterThan(0);
    expect([until, await counts(until, timeframes)]).toEqual([until, naive]);
  }
});
