import pino from 'pino';
import { CHAINS } from '../../application/hash-chains/chains';
import { numberAll } from '../../application/hash-chains/number-pending';
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

test('an organisation whose log cannot be numbered does not keep the others waiting', async () => {
  const [broken, other] = [await database.createOrganization(), await database.createOrganization()];
  await enter(broken);
  await enter(other);
  const db: typeof database.db = {
    ...database.db,
    withOrg: (orgId, work) => (orgId === broken ? Promise.reject(new Error('broken')) : database.db.withOrg(orgId, work)),
  };
  const pendingAuditLogs = async () => [broken, other];
  const stop = keepAuditLogsNumbered({ db, housekeeping: { pendingAuditLogs }, logger: pino({ level: 'silent' }) as never });
  await waitUntil('the place', async () => (await sequenceOf(other)) === 1);
  await stop();
  await numberAll(database.db, CHAINS.audit, broken);
});

test('the entries of all organisations get their places, even after the database was unavailable for a time', async () => {
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
