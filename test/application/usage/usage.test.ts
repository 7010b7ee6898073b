import { giveBackSigned, giveBackUsage, peekUsage, reserveUsage } from '../../../application/usage/usage';
import { UsageReservationEntity } from '../../../entities/usage/usage-reservation.entity';
import { UsageSumEntity } from '../../../entities/usage/usage-sum.entity';
import { newId } from '../../../platform/ids';
import type { Subject } from '../../../policy/types';
import { seeCharter } from '../../support/charter-rows';
import type { TestDatabase } from '../../support/database';
import { eachInItsOrganization } from '../../support/own-organization';

let database: TestDatabase;
let orgId: string;
let walletId: string;
eachInItsOrganization((...own) => {
  [database, orgId] = own;
  walletId = newId('wallet');
});

const subject = (id: string, ...others: readonly string[]): Subject => ({
  walletId: id,
  walletTags: [],
  otherWallets: others.map((other) => ({ walletId: other, walletTags: [] })),
});
type Set = {
  readonly activityId?: string;
  readonly amount?: string | null;
  readonly timeframes?: readonly number[];
  readonly of?: Subject;
};
const reserve = ({ activityId = newId('transfer'), amount = '1000000', timeframes = [60], of }: Set = {}) =>
  database.db.withOrg(orgId, (tx) =>
    reserveUsage(tx, { activityId, subject: of ?? subject(walletId), amountUsdMicro: amount, timeframes }),
  );
const peek = (timeframes: readonly number[], amountUsdMicro: string | null = '0') =>
  peekUsage(database.db.read(orgId), { subject: subject(walletId), amountUsdMicro, timeframes });
const giveBack = (activityId: string) => database.db.withOrg(orgId, (tx) => giveBackUsage(tx, activityId));
const rows = () => database.db.read(orgId).rows(UsageReservationEntity, 'ORDER BY t.activity_id, t.wallet_id');
const sums = () => database.db.read(orgId).rows(UsageSumEntity, 'ORDER BY t.minutes, t.date_start');

test('an activity counts once in every window, together with earlier activities', async () => {
  expect(await reserve({ timeframes: [1, 43_200] })).toEqual([
    { walletId, timeframeMinutes: 1, count: 1, amountUsdMicro: '1000000' },
    { walletId, timeframeMinutes: 43_200, count: 1, amountUsdMicro: '1000000' },
  ]);
  expect(await reserve({ amount: '23' })).toEqual([{ walletId, timeframeMinutes: 60, count: 2, amountUsdMicro: '1000023' }]);
  expect(await reserve({ of: subject(newId('wallet')) })).toMatchObject([{ count: 1, amountUsdMicro: '1000000' }]);
});

test('an activity that is judged again counts once, with its new time and value', async () => {
  const activityId = newId('transfer');
  await reserve({ activityId });
  const [before] = await rows();
  expect(await reserve({ activityId, amount: '5' })).toMatchObject([{ count: 1, amountUsdMicro: '5' }]);
  const [after, more] = await rows();
  expect(more).toBeUndefined();
  expect(after?.dateCounted.getTime()).toBeGreaterThan(before?.dateCounted.getTime() ?? Number.NaN);
});

test('the value of a window is unknown until giveBackUsage removes the activity of unknown value from it', async () => {
  await reserve();
  const activityId = newId('transfer');
  expect(await reserve({ activityId, amount: null })).toMatchObject([{ count: 2, amountUsdMicro: null }]);
  await giveBack(activityId);
  expect(await reserve()).toMatchObject([{ count: 2, amountUsdMicro: '2000000' }]);
});

test('giveBackUsage removes the usage of an activity, and a second call changes nothing more', async () => {
  const activityId = newId('transfer');
  await reserve();
  await reserve({ activityId });
  for (let i = 0; i < 2; i += 1) await giveBack(activityId);
  expect(await reserve()).toMatchObject([{ count: 2, amountUsdMicro: '2000000' }]);
});

test('giveBackSigned removes the usage of a signed activity, but not under a charter, because the signer still counts it', async () => {
  const signedAway = newId('transfer');
  await reserve({ activityId: signedAway });
  await database.db.withOrg(orgId, (tx) => giveBackSigned(tx, signedAway));
  expect(await peek([60])).toMatchObject([{ count: 1 }]);
  await seeCharter(database.db, orgId);
  await reserve({ activityId: signedAway });
  await database.db.withOrg(orgId, (tx) => giveBackSigned(tx, signedAway));
  expect(await peek([60])).toMatchObject([{ count: 2 }]);
});

test('an activity of a key is counted for each wallet of the key, and for no wallet if the key has none', async () => {
  const other = newId('wallet');
  expect(await reserve({ of: subject(walletId, other) })).toHaveLength(2);
  expect(await reserve({ of: subject(other) })).toMatchObject([{ walletId: other, count: 2 }]);
  expect(await reserve({ of: { walletId: null, walletTags: [] } })).toEqual([]);
});

test('activities counted at the same time see each other: no two get the same count', async () => {
  const others = [newId('wallet'), newId('wallet')];
  const used = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      // The wallets come in different orders. Locks in the given order would deadlock.
      reserve({ of: at % 2 === 0 ? subject(walletId, ...others) : subject(walletId, ...[...others].reverse()) }),
    ),
  );
  const counts = used.map((windows) => windows.find((window) => window.walletId === walletId)?.count ?? 0);
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect((await sums()).reduce((sum, { count }) => sum + count, 0)).toBe(40 * 3 * 2);
});

test('peek returns the usage with one more activity and writes nothing', async () => {
  await reserve();
  expect(await peek([60], '7')).toEqual([{ walletId, timeframeMinutes: 60, count: 2, amountUsdMicro: '1000007' }]);
  expect(await peek([60], null)).toMatchObject([{ count: 2, amountUsdMicro: null }]);
  expect(await rows()).toHaveLength(1);
});

test('a value too large for a row is treated as unknown', async () => {
  expect(await reserve({ amount: (10n ** 60n - 1n).toString() })).toMatchObject([
    { amountUsdMicro: (10n ** 60n - 1n).toString() },
  ]);
  expect(await reserve({ amount: (10n ** 60n).toString() })).toMatchObject([{ count: 2, amountUsdMicro: null }]);
  expect(await reserve({ amount: (2n ** 300n).toString() })).toMatchObject([{ count: 3, amountUsdMicro: null }]);
});
