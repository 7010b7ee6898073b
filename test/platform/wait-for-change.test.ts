import { createLogger } from '../../platform/logger';
import { type Changes, listenForChanges } from '../../platform/wait-for-change';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';
import { waitUntil } from '../support/wait-until';
import { announceChange } from '../support/wallet-services';

/** A wake-up arrives within milliseconds. Without a wake-up the next read follows after a second. */
const WITHOUT_WAKE_UP_MS = 900;
const LONG_MS = 20_000;

let database: TestDatabase;
let changes: Changes;

beforeAll(async () => {
  database = await createTestDatabase();
  changes = listenForChanges(database.appUrl, createLogger('test', 'silent'));
  await listening();
});
afterAll(async () => {
  await changes?.close();
  await database?.close();
});

const listeners = () =>
  asSuperuser(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'strongroom-listen' AND state = 'idle'
       AND query LIKE 'LISTEN %'`,
      [database.name],
    );
    return rows.map(({ pid }) => pid);
  });
const listening = () => waitUntil('a listening connection', async () => (await listeners())[0]);
const announce = (id: string) => announceChange(database.db, id);

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await work, ms: performance.now() - start };
}

/** Returns a record that can change, the result of a caller that waits for the value `new`, and the number of reads. */
function somebodyWaitsFor(id: string, limitMs = LONG_MS) {
  const record = { value: 'old', reads: 0 };
  const read = async () => {
    record.reads += 1;
    return record.value;
  };
  const answer = timed(changes.waitFor(id, read, (value) => value === 'new', limitMs));
  return { record, answer, hasRead: () => waitUntil('the first read', () => record.reads > 0) };
}

test('a condition that is already true needs one read', async () => {
  const read = jest.fn(async () => 'done');
  await expect(changes.waitFor('r-1', read, (value) => value === 'done', LONG_MS)).resolves.toBe('done');
  expect(read).toHaveBeenCalledTimes(1);
});

test('a change after the read wakes the waiting caller at once', async () => {
  const { record, answer, hasRead } = somebodyWaitsFor('r-2');
  await hasRead();
  record.value = 'new';
  await announce('r-2');
  expect((await answer).ms).toBeLessThan(WITHOUT_WAKE_UP_MS);
  expect(record.reads).toBe(2);
});

test('a change that commits while the read is under way is not missed', async () => {
  let reads = 0;
  const readSlowly = async () => {
    reads += 1;
    if (reads > 1) return 'new';
    await announce('r-3');
    // Both wake-ups use one connection, so the first has arrived when the wake-up of the other record arrives.
    const behind = somebodyWaitsFor('r-3-behind');
    await behind.hasRead();
    behind.record.value = 'new';
    await announce('r-3-behind');
    await behind.answer;
    return 'old';
  };
  const { value, ms } = await timed(changes.waitFor('r-3', readSlowly, (read) => read === 'new', LONG_MS));
  expect(value).toBe('new');
  expect(ms).toBeLessThan(WITHOUT_WAKE_UP_MS);
});

test('a change wakes all callers that wait for the record, and no caller that waits for another record', async () => {
  const both = [somebodyWaitsFor('r-4'), somebodyWaitsFor('r-4')];
  const other = somebodyWaitsFor('r-5', WITHOUT_WAKE_UP_MS);
  await Promise.all([...both, other].map(({ hasRead }) => hasRead()));
  for (const { record } of both) record.value = 'new';
  await announce('r-4');
  for (const { answer } of both) expect((await answer).ms).toBeLessThan(WITHOUT_WAKE_UP_MS);
  expect([...both, other].map(({ record }) => record.reads)).toEqual([2, 2, 1]);
  await other.answer;
});

test('a lost wake-up delays a caller by one second, not by the whole limit', async () => {
  const { record, answer, hasRead } = somebodyWaitsFor('r-6');
  await hasRead();
  record.value = 'new';
  const { ms } = await answer;
  expect(ms).toBeGreaterThan(WITHOUT_WAKE_UP_MS);
  expect(ms).toBeLessThan(LONG_MS / 2);
});

test('after the limit the last value is returned, and a limit of zero reads once', async () => {
  const late = somebodyWaitsFor('r-7', 300);
  const { value, ms } = await late.answer;
  expect(value).toBe('old');
  expect(ms).toBeGreaterThan(250);
  expect(late.record.reads).toBeGreaterThan(1);
  const never = somebodyWaitsFor('r-7', 0);
  expect((await never.answer).value).toBe('old');
  expect(never.record.reads).toBe(1);
});

test('the error of a failed read is thrown to the waiting caller', async () => {
  const failing = changes.waitFor(
    'r-8',
    () => Promise.reject(new Error('no database')),
    () => true,
    LONG_MS,
  );
  await expect(failing).rejects.toThrow('no database');
});

test('a listening connection that the server closes is reopened and wakes callers again', async () => {
  const before = await listening();
  await asSuperuser((client) => client.query('SELECT pg_terminate_backend($1)', [before]));
  await waitUntil('another listening connection', async () => (await listeners()).some((pid) => pid !== before));
  const { record, answer, hasRead } = somebodyWaitsFor('r-9');
  await hasRead();
  record.value = 'new';
  await announce('r-9');
  expect((await answer).ms).toBeLessThan(WITHOUT_WAKE_UP_MS);
});

test('without a database server no caller is woken, and every caller still gets a value', async () => {
  const cut = listenForChanges('postgres://nobody@127.0.0.1:9/none', createLogger('test', 'silent'));
  const read = jest.fn().mockResolvedValueOnce('old').mockResolvedValue('new');
  await expect(cut.waitFor('r-10', read, (value) => value === 'new', LONG_MS)).resolves.toBe('new');
  await cut.close();
});

test('close ends the listening connection', async () => {
  const other = listenForChanges(database.appUrl, createLogger('test', 'silent'));
  await waitUntil('two listening connections', async () => (await listeners()).length === 2);
  await other.close();
  await waitUntil('one listening connection', async () => (await listeners()).length === 1);
});
