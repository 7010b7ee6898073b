import type { Context } from '@temporalio/activity';
import type { Dispatcher } from '../../application/dispatch';
import type { WebhookAttempts } from '../../application/webhook-attempts';
import type { Deliverer } from '../../application/webhook-delivery';
import type { Gateway } from '../../chains/types';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import type { BegunAttempt } from '../../entities/webhooks/webhook-event.store';
import { newId } from '../../platform/ids';
import type { SignerClient, SignTransferOrder, TransferSignature } from '../../signer/protocol';
import { drillPoints } from '../../worker/drill';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openGate } from '../support/gate';
import { waitUntil } from '../support/wait-until';

const nothing = async () => undefined;
const attempts = { begin: async () => ({}) as BegunAttempt, settle: nothing } as Partial<WebhookAttempts> as WebhookAttempts;
const deliverer = { deliver: nothing } as Partial<Deliverer> as Deliverer;
const signer = { signTransfer: async () => ({}) as TransferSignature } as Partial<SignerClient> as SignerClient;
const gateway = { broadcast: async () => 'Accepted' } as Partial<Gateway> as Gateway;
const dispatcher = { carryOut: nothing } as Partial<Dispatcher> as Dispatcher;

let database: TestDatabase;
let gate: Awaited<ReturnType<typeof openGate>>;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openGate(['prepareTransfer:begun']);
});
beforeEach(() => {
  gate.reports.length = 0;
});
afterAll(() => Promise.all([database?.close(), gate?.close()]));

/** Runs this as the activity of that name. */
function asActivity(url: string, activityType: string, transferId: string, work: () => Promise<unknown>): Promise<unknown> {
  const info = { activityType } as Context['info'];
  const [interceptor] = drillPoints(url).activities;
  const inbound = interceptor?.({ info } as Context).inbound;
  return inbound?.execute?.({ args: [{ transferId }], headers: {} }, work) ?? work();
}

test('without an address every part is the one that was given, and no activity is intercepted', () => {
  const points = drillPoints(undefined);
  const gateways = () => gateway;
  expect(points.activities).toEqual([]);
  expect(points.database(database.db)).toBe(database.db);
  expect(points.signer(signer)).toBe(signer);
  expect(points.gateways(gateways)).toBe(gateways);
  expect(points.deliverer(deliverer)).toBe(deliverer);
  expect(points.attempts(attempts)).toBe(attempts);
  expect(points.dispatcher(dispatcher)).toBe(dispatcher);
});

test('a step inside of an activity reports as one of its own', async () => {
  const [transferId, orgId] = [newId('transfer'), newId('organization')];
  const { reported, signer: asked } = drillPoints(gate.url);
  const sign = reported('signTransfer', () => asked(signer).signTransfer({} as SignTransferOrder));
  await asActivity(gate.url, 'followNetwork', transferId, () => sign({ orgId, transferId }));
  const moments = ['begun', 'asked', 'answered', 'done'].map((moment) => `signTransfer:${moment}`);
  expect(gate.points()).toEqual(['followNetwork:begun', ...moments, 'followNetwork:done']);
});

test('an activity reports its begin, both sides of question and commit, and its end, with the ids that it touches', async () => {
  const points = drillPoints(gate.url);
  const db = points.database(database.db);
  const [transferId, orgId] = [newId('transfer'), newId('organization')];
  await asActivity(gate.url, 'evaluateTransfer', transferId, nothing);
  expect(gate.points()).toEqual(['evaluateTransfer:begun', 'evaluateTransfer:done']);
  gate.reports.length = 0;
  const [interceptor] = points.activities;
  const info = { activityType: 'signTransfer' } as Context['info'];
  await interceptor?.({ info } as Context).inbound?.execute?.({ args: [{ transferId }], headers: {} }, async () => {
    await points.signer(signer).signTransfer({} as never);
    await points
      .gateways(() => gateway)('EthereumSepolia')
      .broadcast('0x', '0x');
    await db.withOrg(orgId, (tx) => tx.insert(OrganizationEntity, { id: orgId, name: 'Drilled' }));
    await db.withOrg(orgId, nothing);
  });
  expect(gate.points()).toEqual([
    'signTransfer:begun',
    'signTransfer:asked',
    'signTransfer:answered',
    'signTransfer:asked',
    'signTransfer:answered',
    'signTransfer:committing',
    'signTransfer:committed',
    'signTransfer:committing',
    'signTransfer:committed',
    'signTransfer:done',
  ]);
  expect(gate.reports[0]?.ids).toEqual([transferId]);
  expect(gate.reports[5]?.ids).toEqual([transferId, orgId]);
});

test('what is held before the commit is seen by nobody, and by everybody behind it', async () => {
  gate.hold('readHold:committing');
  gate.hold('readHold:committed');
  const id = newId('organization');
  const seen = async () => (await database.db.read(id).rows(OrganizationEntity, 'WHERE t.id = $1', [id])).length;
  const points = drillPoints(gate.url);
  const info = { activityType: 'readHold' } as Context['info'];
  const running = points.activities[0]?.({ info } as Context).inbound?.execute?.({ args: [], headers: {} }, () =>
    points.database(database.db).withOrg(id, (tx) => tx.insert(OrganizationEntity, { id, name: 'Held' })),
  );
  await waitUntil('the process to stand before the commit', () => gate.isHeld('readHold:committing'));
  expect(await seen()).toBe(0);
  gate.release('readHold:committing');
  await waitUntil('the process to stand behind the commit', () => gate.isHeld('readHold:committed'));
  expect(await seen()).toBe(1);
  gate.release('readHold:committed');
  await running;
});

test('a step that the drill wants to fail ends with an error that no retry cures', async () => {
  const running = asActivity(gate.url, 'prepareTransfer', newId('transfer'), nothing);
  await expect(running).rejects.toMatchObject({ code: 'EnvelopeMismatch', retryable: false });
});

test('the relay reports what it asks of Temporal under the name of the signal, and each delivery', async () => {
  const points = drillPoints(gate.url);
  const carryOut = points.dispatcher(dispatcher).carryOut;
  const row = { aggregateId: newId('transfer'), dedupeKey: 'x', routing: { signal: 'settled' } };
  await carryOut('or', { ...row, kind: 'start' });
  await carryOut('or', { ...row, kind: 'signal' });
  await points.deliverer(deliverer).deliver('or', newId('event'));
  expect(gate.points()).toEqual(['start:asked', 'start:told', 'settled:asked', 'settled:told', 'deliver:begun', 'deliver:done']);
});

test('a delivery reports its written attempt, the answer that it heard before the mark, and the mark', async () => {
  const { attempts: wrap, deliverer: around } = drillPoints(gate.url);
  const note = (point: string) => gate.reports.push({ point, ids: [] });
  const rows = wrap({
    ...attempts,
    begin: async (orgId, attempt) => {
      note('begin');
      return attempts.begin(orgId, attempt);
    },
    settle: async () => void note('settle'),
  });
  const delivering = around({
    ...deliverer,
    deliver: async (orgId) => {
      await rows.begin(orgId, {} as never);
      await rows.settle(orgId, {} as never, undefined);
    },
  });
  await delivering.deliver('or', newId('event'));
  const wanted = ['deliver:begun', 'begin', 'deliver:written', 'deliver:heard', 'settle', 'deliver:marked', 'deliver:done'];
  expect(gate.points()).toEqual(wanted);
});

test('a drill that has gone away holds nobody', async () => {
  const gone = await openGate();
  await gone.close();
  expect(await asActivity(gone.url, 'evaluateTransfer', newId('transfer'), async () => 'done')).toBe('done');
});
