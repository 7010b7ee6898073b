import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createDispatcher, type Dispatcher } from '../../../application/dispatch/dispatcher';
import { routeOf } from '../../../domain/routes';
import type { Dispatch } from '../../../entities/outbox/outbox.store';
import { newId } from '../../../platform/ids';
import { registerSearchAttributes } from '../../../worker/search-attributes';
import { openLocal } from '../../support/temporal';

let environment: TestWorkflowEnvironment;
let dispatcher: Dispatcher;
beforeAll(async () => {
  environment = await openLocal();
  await registerSearchAttributes(environment.nativeConnection, environment.namespace ?? 'default');
  dispatcher = createDispatcher(environment.client);
}, 120_000);
afterAll(() => environment?.teardown());

const ORG = newId('organization');
const start = (aggregateId: string): Dispatch => ({
  kind: 'start',
  aggregateId,
  dedupeKey: `start:${aggregateId}`,
  routing: { workflow: 'transfer', walletId: 'wa-1', network: 'EthereumSepolia', summary: 'Some words' },
});
const signal = (aggregateId: string, argument?: string): Dispatch => ({
  kind: 'signal',
  aggregateId,
  dedupeKey: newId('outbox'),
  routing: { signal: 'settled', ...(argument === undefined ? {} : { argument }) },
});
const handleOf = (id: string) => environment.client.workflow.getHandle(id);

test('an outbox row of kind `start` starts a workflow with the id of the record, on the queue of the organisation', async () => {
  const id = newId('transfer');
  await dispatcher.carryOut(ORG, start(id));
  const { type, taskQueue, status, typedSearchAttributes } = await handleOf(id).describe();
  expect({ type, taskQueue, status: status.name }).toEqual({ type: 'transfer', taskQueue: routeOf(ORG).main, status: 'RUNNING' });
  const found = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  expect(Object.fromEntries(found)).toMatchObject({ OrgId: ORG, WalletId: 'wa-1', Network: 'EthereumSepolia' });
});

test('a workflow gets its routing without the id of the request', async () => {
  const id = newId('transfer');
  const row = start(id);
  await dispatcher.carryOut(ORG, { ...row, routing: { ...row.routing, requestId: 'req-1' } });
  const { events } = await handleOf(id).fetchHistory();
  const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const { routing } = JSON.parse(Buffer.from(payload?.data ?? []).toString('utf8')) as { routing: unknown };
  expect(routing).toEqual(row.routing);
});

test('a repeated start row leaves the running workflow as it is', async () => {
  const id = newId('transfer');
  await dispatcher.carryOut(ORG, start(id));
  const { runId } = await handleOf(id).describe();
  await Promise.all([dispatcher.carryOut(ORG, start(id)), dispatcher.tryNow(ORG, start(id))]);
  expect((await handleOf(id).describe()).runId).toBe(runId);
});

test('a repeated start row does not restart a workflow that has ended', async () => {
  const id = newId('transfer');
  await dispatcher.carryOut(ORG, start(id));
  const { runId } = await handleOf(id).describe();
  await handleOf(id).terminate();
  await dispatcher.carryOut(ORG, start(id));
  expect(await handleOf(id).describe()).toMatchObject({ runId, status: { name: 'TERMINATED' } });
});

test('a start row marked `again` restarts a workflow that has ended, and leaves a running workflow as it is', async () => {
  const id = newId('transfer');
  const again = { ...start(id), routing: { ...start(id).routing, again: 'true' } };
  await dispatcher.carryOut(ORG, start(id));
  const { runId } = await handleOf(id).describe();
  await dispatcher.carryOut(ORG, again);
  expect((await handleOf(id).describe()).runId).toBe(runId);
  await handleOf(id).terminate();
  await dispatcher.carryOut(ORG, again);
  const now = await handleOf(id).describe();
  expect(now.runId).not.toBe(runId);
  expect(now.status.name).toBe('RUNNING');
});

test('a signal reaches its workflow by name, with its argument and without one', async () => {
  const id = newId('transfer');
  await dispatcher.carryOut(ORG, start(id));
  await dispatcher.carryOut(ORG, signal(id));
  await dispatcher.carryOut(ORG, signal(id, 'Confirmed'));
  const { events } = await handleOf(id).fetchHistory();
  const signals = (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: one }) => (one ? [one] : []));
  expect(signals.map(({ signalName, input }) => [signalName, input?.payloads?.length ?? 0])).toEqual([
    ['settled', 0],
    ['settled', 1],
  ]);
});

test('a signal to a workflow that has ended or was never started has no effect and does not fail', async () => {
  const id = newId('transfer');
  await expect(dispatcher.carryOut(ORG, signal(id))).resolves.toBeUndefined();
  await dispatcher.carryOut(ORG, start(id));
  await handleOf(id).terminate();
  await expect(dispatcher.carryOut(ORG, signal(id))).resolves.toBeUndefined();
});

test('a row that lacks required routing fails as an internal error', async () => {
  const id = newId('transfer');
  await expect(dispatcher.carryOut(ORG, { ...start(id), routing: {} })).rejects.toMatchObject({ code: 'Internal' });
  await expect(dispatcher.carryOut(ORG, { ...signal(id), routing: {} })).rejects.toMatchObject({ code: 'Internal' });
  await expect(dispatcher.tryNow(ORG, { ...start(id), routing: {} })).resolves.toBeUndefined();
});

test('an event row does not start a workflow', async () => {
  const id = newId('transfer');
  await dispatcher.carryOut(ORG, { kind: 'event', aggregateId: id, dedupeKey: id, routing: {} });
  await expect(handleOf(id).describe()).rejects.toThrow();
});

test('a workflow that does not end within the limit is reported as NotReady', async () => {
  const running = dispatcher.execute(ORG, { workflow: 'nobody', id: newId('event'), routing: {}, limitMs: 300 });
  await expect(running).rejects.toMatchObject({ code: 'NotReady', status: 503 });
});
