import { enterRefusal } from '../../../application/audit-logs/refusals';
import { REFUSALS_PER_HOUR_MAX } from '../../../domain/audit';
import type { Caller } from '../../../domain/callers';
import { AppError, type ErrorCode } from '../../../domain/errors';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let orgId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
});

const REFUSED = { method: 'POST', path: '/wallets', bodySha256: 'ab'.repeat(32), userActionId: null };
const refuse = (userId = 'us-1', error: unknown = new AppError('UserActionInvalid', 'invalid'), more: object = {}) =>
  enterRefusal(database.db, { orgId, userId, tokenId: 'to-1' } as Caller, { ...REFUSED, ...more }, error);
const entries = async () =>
  (
    await database.db
      .read(orgId)
      .select<{ data: Record<string, unknown> }>('SELECT data FROM audit_entries ORDER BY date_created, id')
  ).map(({ data }) => data);

test('the entry of a refusal contains the caller, the request and the code', async () => {
  await refuse();
  const data = { userId: 'us-1', tokenId: 'to-1', ...REFUSED, code: 'UserActionInvalid', furtherOmitted: false };
  expect(await entries()).toEqual([data]);
});

test.each<[string, unknown]>([
  ['an invalid field', new AppError('InvalidRequest', 'no')],
  ['a missing record', new AppError('NotFound' satisfies ErrorCode, 'no')],
  ['a crash', new Error('no')],
])('%s is not entered in the log as a refusal', async (_what, error) => {
  await refuse('us-1', error);
  expect(await entries()).toEqual([]);
});

test('one caller causes at most the allowed number of entries in an hour, the last entry reports the limit, and other callers are not affected', async () => {
  for (let n = 0; n < REFUSALS_PER_HOUR_MAX + 2; n += 1) await refuse();
  await refuse('us-2');
  const all = await entries();
  const of = (userId: string) => all.filter((data) => data['userId'] === userId).map((data) => data['furtherOmitted']);
  expect(of('us-1')).toEqual([...Array<boolean>(REFUSALS_PER_HOUR_MAX - 1).fill(false), true]);
  expect(of('us-2')).toEqual([false]);
  await database.arrange(
    `UPDATE audit_entries SET date_created = date_created - interval '61 minutes' WHERE org_id = $1 AND data ->> 'userId' = $2`,
    [orgId, 'us-1'],
  );
  await refuse();
  expect((await entries()).length).toBe(REFUSALS_PER_HOUR_MAX + 2);
});

test('parallel refusals do not exceed the bound', async () => {
  await Promise.all(Array.from({ length: REFUSALS_PER_HOUR_MAX + 10 }, () => refuse()));
  const all = await entries();
  expect([all.length, all.filter((data) => data['furtherOmitted'] === true).length]).toEqual([REFUSALS_PER_HOUR_MAX, 1]);
});

test('a long path is cut', async () => {
  await refuse('us-1', undefined, { path: `/${'x'.repeat(600)}` });
  await refuse('us-1', new AppError('Forbidden', 'no'), { path: `/${'x'.repeat(511)}` });
  expect((await entries()).map((data) => String(data['path']).length)).toEqual([512, 512]);
});
