import pino from 'pino';
import { CHAINS } from '../../application/hash-chains/chains';
import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import { type HousekeepingStore, openHousekeepingStore } from '../../entities/housekeeping/housekeeping.store';
import { keepAuditLogsNumbered } from '../../worker/audit-sequencer';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { waitUntil } from '../support/wait-until';

let database: TestDatabase;
let store: HousekeepingStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openHousekeepingStore(database.relayUrl);
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

const enter = (orgId: string) =>
  database.db.withOrg(orgId, (tx) => auditEntryStore.command(tx, 'org:service-account-votes', { on: true }));
const sequenceOf = async (orgId: string) => (await CHAINS.audit.store.head(database.db.read(orgId)))?.sequence;

test('the entries of all organisations get their places, also after a time in which the database was away', async () => {
  const [one, other] = [await database.createOrganization(), await database.createOrganization()];
  for (const orgId of [one, one, other]) await enter(orgId);
  const warned: string[] = [];
  const logger = pino({}, { write: (line) => void warned.push((JSON.parse(line) as { msg: string }).msg) });
  let isAway = true;
  const pendingAuditLogs = (rowsMax: number) => (isAway ? Promise.reject(new Error('away')) : store.pendingAuditLogs(rowsMax));
  const stop = keepAuditLogsNumbered({ db: database.db, housekeeping: { pendingAuditLogs }, logger: logger as never });
  await waitUntil('the warning', () => warned.length > 0);
  isAway = false;
  await waitUntil('the places', async () => (await sequenceOf(one)) === 2 && (await sequenceOf(other)) === 1);
  await stop();
  expect(warned).toEqual(['entries of audit logs could not be numbered: they wait']);
  expect(await store.pendingAuditLogs(10)).toEqual([]);
});
