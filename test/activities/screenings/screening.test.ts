import { createScreeningActivities, createScreeningEndActivities } from '../../../activities/screenings/screening';
import type { ScreeningQuestion, ScreeningVendor } from '../../../domain/screenings';
import { ScreeningEntity } from '../../../entities/screenings/screening.entity';
import { screeningStore } from '../../../entities/screenings/screening.store';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { API_KEY, connectVendor, integrationSecrets, startVendors, type Vendors } from '../../support/vendors';

const QUESTION: ScreeningQuestion = {
  direction: 'Sent',
  network: 'EthereumSepolia',
  contract: null,
  amountUnits: '1000',
  from: '0x1111111111111111111111111111111111111111',
  to: ['0x2222222222222222222222222222222222222222'],
  userId: 'wa-1',
};

let database: TestDatabase;
let vendors: Vendors;
let orgId: string;
beforeAll(async () => {
  [database, vendors] = await Promise.all([createTestDatabase(), startVendors()]);
});
afterAll(async () => {
  await Promise.all([database?.close(), vendors?.close()]);
});
beforeEach(async () => {
  orgId = await database.createOrganization();
  await Promise.all([vendors.forget('KytA'), vendors.forget('KytB')]);
});

const activities = (vendorUrls = { KytA: vendors.url('KytA'), KytB: vendors.url('KytB') }) =>
  createScreeningActivities({ db: database.db, integrationSecrets, vendorUrls });
const { failScreening } = {
  failScreening: (ref: Parameters<ReturnType<typeof createScreeningEndActivities>['failScreening']>[0]) =>
    createScreeningEndActivities(database).failScreening(ref),
};

const asked = (vendor: ScreeningVendor, set: Partial<ScreeningQuestion> = {}): Promise<string> =>
  database.db.withOrg(orgId, (tx) =>
    screeningStore.add(tx, { activityId: newId('transfer'), vendor, attempt: 1, question: { ...QUESTION, ...set } }),
  );
const rowOf = (id: string): Promise<ScreeningEntity | undefined> =>
  database.db.read(orgId).row(ScreeningEntity, 'WHERE t.id = $1', [id]);
const resultOf = async (id: string) => (await rowOf(id))?.result;

test('the answer of the vendor is stored; a second run does not ask again and keeps the first answer', async () => {
  await connectVendor(database.db, orgId, 'KytB');
  await vendors.tell('KytB', { script: { riskScore: 70 } });
  const screeningId = await asked('KytB');
  await activities().screen({ orgId, screeningId });
  await vendors.tell('KytB', { script: { riskScore: 1 } });
  await activities().screen({ orgId, screeningId });
  await failScreening({ orgId, screeningId, failure: 'TimedOut' });
  expect(await rowOf(screeningId)).toMatchObject({
    result: { kind: 'Screened', riskScore: 70 },
    unreadableReply: null,
    dateAnswered: expect.any(Date),
  });
  expect(await vendors.asked('KytB')).toHaveLength(1);
});

test('a vendor that has not finished is asked again after two seconds, under the same id', async () => {
  await connectVendor(database.db, orgId, 'KytA');
  await vendors.tell('KytA', { script: { pendingPolls: 1, alerts: [{ level: 'HIGH', categoryId: 4 }] } });
  const screeningId = await asked('KytA');
  await expect(activities().screen({ orgId, screeningId })).rejects.toMatchObject({
    type: 'VendorPending',
    nextRetryDelay: 2_000,
  });
  await activities().screen({ orgId, screeningId });
  expect(await resultOf(screeningId)).toMatchObject({ kind: 'Screened', alerts: [{ level: 'HIGH', categoryId: 4 }] });
});

test.each([
  ['a network', 'UnsupportedNetwork', { network: 'Near' }],
  ['a token', 'UnsupportedAsset', { network: 'Solana', contract: 'So11111111111111111111111111111111111111112' }],
])('the result for %s that the vendor does not screen is recorded without asking the vendor', async (_what, kind, set) => {
  await connectVendor(database.db, orgId, 'KytA');
  const screeningId = await asked('KytA', set);
  await activities().screen({ orgId, screeningId });
  expect([await resultOf(screeningId), await vendors.asked('KytA')]).toEqual([{ kind }, []]);
});

test('a vendor that the organisation has not connected or the operator has not configured, or an unknown key, fails without a retry', async () => {
  const failedWith = async (screeningId: string) => {
    await activities().screen({ orgId, screeningId });
    return resultOf(screeningId);
  };
  expect(await failedWith(await asked('KytB'))).toEqual({ kind: 'VendorFailed', failure: 'NotConnected' });
  await connectVendor(database.db, orgId, 'KytB', 'unknown-key');
  expect(await failedWith(await asked('KytB'))).toEqual({ kind: 'VendorFailed', failure: 'Refused' });
  const screeningId = await asked('KytB');
  await createScreeningActivities({ db: database.db, integrationSecrets, vendorUrls: {} }).screen({ orgId, screeningId });
  expect(await resultOf(screeningId)).toEqual({ kind: 'VendorFailed', failure: 'NotConfigured' });
});

test.each([
  ['an error status', { kind: 'Error', status: 500 }, 'Failed'],
  ['a rate limit', { kind: 'RateLimited', retryAfterSeconds: 9 }, 'RateLimited'],
  ['half a reply', { kind: 'Broken' }, 'Unreachable'],
  ['a reply that is not JSON', { kind: 'Garbage' }, 'Unreadable'],
  ['silence', { kind: 'Silent' }, 'TimedOut'],
])('after %s, the screening stays open for a retry, and the time-out ends it as a failure', async (_what, behaviour, failure) => {
  await connectVendor(database.db, orgId, 'KytB');
  await vendors.tell('KytB', { behaviour });
  const screeningId = await asked('KytB');
  const error = await activities()
    .screen({ orgId, screeningId })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ type: 'VendorFailed', details: [failure], nonRetryable: false });
  if (failure === 'RateLimited') expect(error).toMatchObject({ nextRetryDelay: 9_000 });
  expect(JSON.stringify(error)).not.toContain(API_KEY);
  expect(await resultOf(screeningId)).toBeNull();
  await failScreening({ orgId, screeningId, failure: 'TimedOut' });
  expect(await resultOf(screeningId)).toEqual({ kind: 'VendorFailed', failure: 'TimedOut' });
});

test('an unreadable reply is stored for the operator, without the credentials that it repeats', async () => {
  await connectVendor(database.db, orgId, 'KytA');
  await vendors.tell('KytA', { behaviour: { kind: 'Garbage' } });
  const screeningId = await asked('KytA');
  await expect(activities().screen({ orgId, screeningId })).rejects.toMatchObject({ details: ['Unreadable'] });
  expect((await rowOf(screeningId))?.unreadableReply).toBe('<html>Bearer [removed] is what I was sent</html>');
});
