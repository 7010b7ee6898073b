import type { Context } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { reachedOver } from '../../../drill/hook/gate-client';
import { reportPoints } from '../../../drill/hook/report-points';
import { auditEntryStore } from '../../../entities/audit-logs/audit-entry.store';
import { eventStore } from '../../../entities/events/event.store';
import { OrganizationEntity } from '../../../entities/organizations/organization.entity';
import { outboxStore } from '../../../entities/outbox/outbox.store';
import { newId } from '../../../platform/ids';
import { createLogger } from '../../../platform/logger';
import { asking } from '../../../platform/points';
import { createSignerClient } from '../../../signer/client';
import { startServer } from '../../../signer/wire/server';
import { keepAuditLogsNumbered } from '../../../worker/audit-sequencer';
import { stepContext } from '../../../worker/interceptors/context';
import { activityPoints } from '../../../worker/interceptors/points';
import { keyOrder, openOperations, temporaryFolder } from '../../signer/fixtures';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openGate } from '../../support/drill-gate';
import { insertWebhook, nothingCarried, outboxRows, testRelay } from '../../support/relay';
import { waitUntil } from '../../support/wait-until';
import { startWebhookSink } from '../../support/webhook-sink';

const nothing = async () => undefined;

let database: TestDatabase;
let gate: Awaited<ReturnType<typeof openGate>>;
let endReports: (() => void) | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openGate(['prepareTransfer:begun']);
});
afterEach(() => endReports?.());
afterAll(() => Promise.all([database?.close(), gate?.close()]));

/** Starts the reports as the hook does in a process. Points outside of steps are reported only under a given name `outside`. */
function startReports(socketPath = gate.socketPath, outside?: string): void {
  endReports = reportPoints(reachedOver(socketPath), outside);
  gate.reports.length = 0;
}

/** Runs `work` as the activity of this name. */
function asActivity(activityType: string, transferId: string, work: () => Promise<unknown>): Promise<unknown> {
  const { inbound } = activityPoints({ info: { activityType } } as Context);
  return inbound.execute?.({ args: [{ transferId }], headers: {} }, work) ?? work();
}

const moments = (step: string, words: string) => words.split(' ').map((moment) => `${step}:${moment}`);

test('a step inside an activity reports under its own name', async () => {
  const [transferId, orgId] = [newId('transfer'), newId('organization')];
  startReports();
  const sign = stepContext(createLogger('worker', 'silent'))('signTransfer', () => asking('signTransfer', nothing));
  const inActivity = () => asActivity('followNetwork', transferId, () => sign({ orgId, transferId }));
  await new MockActivityEnvironment().run(inActivity);
  expect(gate.points()).toEqual([
    'followNetwork:begun',
    ...moments('signTransfer', 'begun asked answered done'),
    'followNetwork:done',
  ]);
});

test('an activity reports its start and end, and the moments before and after each query and commit, with the ids', async () => {
  const [transferId, orgId] = [newId('transfer'), newId('organization')];
  startReports();
  await asActivity('evaluateTransfer', transferId, nothing);
  expect(gate.points()).toEqual(['evaluateTransfer:begun', 'evaluateTransfer:done']);
  gate.reports.length = 0;
  await asActivity('signTransfer', transferId, async () => {
    await asking('signTransfer', nothing);
    await asking('broadcast', nothing);
    await asking('health', nothing);
    await database.db.withOrg(orgId, (tx) => tx.insert(OrganizationEntity, { id: orgId, name: 'Drilled' }));
    await database.db.withOrg(orgId, nothing);
  });
  const questions = 'asked answered asked answered';
  expect(gate.points()).toEqual(moments('signTransfer', `begun ${questions} committing committed committing committed done`));
  expect(gate.reports[0]?.ids).toEqual([transferId]);
  expect(gate.reports[5]?.ids).toEqual([transferId, orgId]);
  expect(gate.reports[6]?.ids).toEqual([transferId, orgId]);
  expect(gate.reports[7]?.ids).toEqual([transferId]);
});

test("the moments before and after an order to the signer are reported, and a question about the signer's health is not", async () => {
  const folder = temporaryFolder();
  const [authKey, socketPath] = [Buffer.alloc(32, 3), `${folder.path}/s`];
  const operations = await openOperations(folder.path);
  const server = await startServer({ path: socketPath }, authKey, operations, pino({ level: 'silent' }));
  const client = createSignerClient({ socketPath, authKey, timeoutMs: 5_000 });
  startReports();
  await asActivity('createWalletKey', newId('transfer'), async () => {
    await client.health();
    await client.createKey(keyOrder('key-1'));
  });
  expect(gate.points()).toEqual(moments('createWalletKey', 'begun asked answered done'));
  await client.close();
  await server.stop();
  await operations.close();
  folder.remove();
});

test('a row is invisible while its process is held before the commit, and visible after the commit', async () => {
  gate.hold('readHold:committing');
  gate.hold('readHold:committed');
  const id = newId('organization');
  const seen = async () => (await database.db.read(id).rows(OrganizationEntity, 'WHERE t.id = $1', [id])).length;
  startReports();
  const running = asActivity('readHold', newId('transfer'), () =>
    database.db.withOrg(id, (tx) => tx.insert(OrganizationEntity, { id, name: 'Held' })),
  );
  await waitUntil('the process to be held before the commit', () => gate.isHeld('readHold:committing'));
  expect(await seen()).toBe(0);
  gate.release('readHold:committing');
  await waitUntil('the process to be held after the commit', () => gate.isHeld('readHold:committed'));
  expect(await seen()).toBe(1);
  expect(database.db.pools().write.inUse).toBe(0);
  gate.release('readHold:committed');
  await running;
});

test('a transaction outside of a step is reported only in a process that the drill has named, such as the API', async () => {
  const orgId = newId('organization');
  startReports();
  await database.db.withOrg(orgId, nothing);
  expect(gate.points()).toEqual([]);
  endReports?.();
  startReports(gate.socketPath, 'api');
  await database.db.withOrg(orgId, (tx) => tx.insert(OrganizationEntity, { id: orgId, name: 'Ordered' }));
  expect(gate.reports).toEqual(moments('api', 'committing committed').map((point) => ({ point, ids: [orgId] })));
});

test('a step that the drill wants to fail ends with a non-retryable error', async () => {
  startReports();
  let worked = false;
  const running = asActivity('prepareTransfer', newId('transfer'), async () => {
    worked = true;
  });
  await expect(running).rejects.toMatchObject({ code: 'EnvelopeMismatch', retryable: false });
  expect(worked).toBe(false);
});

test('the relay reports each start, each signal under its name, and each delivery', async () => {
  const orgId = await database.createOrganization();
  const [started, signalled, changed] = [newId('transfer'), newId('transfer'), newId('wallet')];
  await database.db.withOrg(orgId, async (tx) => {
    await outboxStore.add(tx, { kind: 'start', aggregateId: started, dedupeKey: 'a', routing: {} });
    await outboxStore.add(tx, { kind: 'signal', aggregateId: signalled, dedupeKey: 'b', routing: { signal: 'settled' } });
    await eventStore.emit(tx, { kind: 'wallet.created', aggregateId: changed, aggregateVersion: 1, data: {} });
  });
  startReports();
  const relay = testRelay(database, { holderId: 'one', carried: nothingCarried() });
  relay.start();
  await waitUntil('every row to be relayed', async () => (await outboxRows(database)).every(({ relayed }) => relayed));
  await relay.stop();
  const told = (step: string) => gate.reports.filter(({ point }) => point.startsWith(`${step}:`));
  for (const [step, id] of [
    ['start', started],
    ['settled', signalled],
  ] as const) {
    expect(told(step)).toEqual(moments(step, 'begun done').map((point) => ({ point, ids: [orgId, id] })));
  }
  expect(told('deliver').map(({ point }) => point)).toEqual(moments('deliver', 'begun numbered done'));
});

test('a delivery reports the place in the feed, and then the stored attempt, the answer of the receiver and the stored result', async () => {
  const sink = await startWebhookSink();
  const orgId = await database.createOrganization();
  await insertWebhook(database, orgId, sink.url);
  const aggregateId = newId('wallet');
  await database.db.withOrg(orgId, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId, aggregateVersion: 1, data: {} }),
  );
  // Many deliveries share a transaction, so the transaction belongs to no step.
  startReports(gate.socketPath, 'shared');
  const relay = testRelay(database, { holderId: 'two', carried: nothingCarried() });
  relay.start();
  await waitUntil('every row to be relayed', async () => (await outboxRows(database)).every(({ relayed }) => relayed));
  await relay.stop();
  await sink.close();
  const commit = moments('shared', 'committing committed');
  expect(gate.points()).toEqual([
    'deliver:begun',
    ...commit,
    'deliver:numbered',
    ...commit,
    ...moments('deliver', 'written heard'),
    ...commit,
    ...moments('deliver', 'marked done'),
  ]);
});

test('the numbering of an audit log reports its commit with the organisation', async () => {
  const orgId = await database.createOrganization();
  await database.db.withOrg(orgId, (tx) => auditEntryStore.command(tx, 'org:service-account-votes', { on: true }));
  startReports();
  const housekeeping = { pendingAuditLogs: async () => [orgId] };
  const stop = keepAuditLogsNumbered({ db: database.db, housekeeping, logger: createLogger('worker', 'silent') });
  await waitUntil('the numbers', () => gate.points().includes('numberAudit:done'));
  await stop();
  expect(gate.points().slice(0, 4)).toEqual(moments('numberAudit', 'begun committing committed done'));
  expect(gate.reports.slice(0, 4).every(({ ids }) => ids.includes(orgId))).toBe(true);
});

test('a drill that has stopped holds no process', async () => {
  const gone = await openGate();
  await gone.close();
  startReports(gone.socketPath);
  expect(await asActivity('evaluateTransfer', newId('transfer'), async () => 'done')).toBe('done');
});
