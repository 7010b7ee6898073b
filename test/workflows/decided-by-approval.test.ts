import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../../activities';
import type { ChangeStanding } from '../../domain/change-requests';
import type { HoldStatus, Judgement } from '../../domain/judgements';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { registerSearchAttributes } from '../../worker/search-attributes';
import { inTurn } from '../support/in-turn';
import { recordHistory } from '../support/recording';
import { stagesShown } from '../support/stages-shown';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { bundleBefore, WORKFLOW_BUNDLE } from '../support/workflow-bundle';

// The server that skips time neither lists workflows nor ends children with their parents.
let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal();
  await registerSearchAttributes(environment.nativeConnection, environment.namespace ?? 'default');
}, 120_000);
afterAll(() => environment?.teardown());

const DAY_MS = 24 * 3_600_000;
const orgId = newId('organization');
const taskQueue = routeOf(orgId).main;
const GROUPS = [
  { groupId: 'gr-finance', name: 'Finance', quorum: 1, have: 0 },
  { groupId: 'gr-board', name: 'Board', quorum: 1, have: 0 },
];
const heldBy = (approvalId: string): Judgement & { outcome: 'Held' } => ({ outcome: 'Held', approvalId, groups: GROUPS });
const REJECTED: Judgement = { outcome: 'Ended', state: 'Rejected' };
const APPROVED: HoldStatus = { status: 'Approved', groups: [] };

const handleOf = (id: string) => environment.client.workflow.getHandle(id);
const statusOf = (id: string) =>
  handleOf(id)
    .describe()
    .then(
      ({ status, runId }) => ({ name: status.name, runId }),
      () => undefined,
    );
const until = (id: string, name: string) => waitUntil(`${id} ${name}`, async () => (await statusOf(id))?.name === name);

type Steps = Partial<Pick<Activities, 'evaluateTransfer' | 'evaluateSignature' | 'readHold' | 'reviewChangeRequest'>>;
const workerWith = (activities: Steps, workflowBundle: WorkflowBundleOption = WORKFLOW_BUNDLE) =>
  Worker.create({ connection: environment.nativeConnection, taskQueue, workflowBundle, activities });

type Held = 'transfer' | 'signature' | 'changeRequest';
function start(workflow: Held): Promise<WorkflowHandle> {
  const id = newId(workflow);
  const args = [{ orgId, id, routing: { network: 'EthereumSepolia' } }];
  return environment.client.workflow.start(workflow, { workflowId: id, taskQueue, args });
}
const startTransfer = () => start('transfer');

/** Starts a workflow of the last release in which approvals were not workflows yet. The workflow then waits for people. */
async function leftWaiting(workflow: Held, activities: Steps): Promise<WorkflowHandle> {
  const before = await workerWith(activities, bundleBefore('approval-is-a-workflow'));
  return before.runUntil(async () => {
    const handle = await start(workflow);
    await waitUntil('the wait', async () => (await stagesShown(handle)).length === 1);
    return handle;
  });
}

async function childrenOf(handle: WorkflowHandle): Promise<readonly unknown[]> {
  const children = ((await handle.fetchHistory()).events ?? []).flatMap(
    (one) => one.childWorkflowExecutionStartedEventAttributes ?? [],
  );
  return children.map(({ workflowExecution }) => workflowExecution?.workflowId);
}

async function found(query: string): Promise<string> {
  const ids: string[] = [];
  for await (const { workflowId } of environment.client.workflow.list({ query })) ids.push(workflowId);
  return ids.join();
}
const untilFound = (query: string, ids: string) =>
  waitUntil(query, async () => (await found(`${query} AND WorkflowType = "approval"`)) === ids);

test('an approval is found by its id, by a group that it still waits for, and by its deadline', async () => {
  const id = newId('approval');
  const financeHas: HoldStatus = { status: 'Pending', groups: GROUPS.map((group, index) => ({ ...group, have: 1 - index })) };
  const worker = await workerWith({
    evaluateTransfer: inTurn<Judgement>({ ...heldBy(id), rejectsItselfAfterMs: DAY_MS }, REJECTED),
    readHold: inTurn(financeHas, { status: 'Pending', groups: [] }, APPROVED),
  });
  await worker.runUntil(async () => {
    const transfer = await startTransfer();
    await untilFound(`WorkflowId = "${id}"`, id);
    await untilFound('ApprovalGroup = "gr-finance" AND Stage = "Approval"', id);
    await untilFound(`Deadline < "${new Date(Date.now() + 2 * DAY_MS).toISOString()}"`, id);
    expect(await found(`Deadline < "${new Date().toISOString()}"`)).toBe('');
    await transfer.signal('approvalChanged');
    await untilFound('ApprovalGroup = "gr-finance"', '');
    await untilFound('ApprovalGroup = "gr-board"', id);
    await transfer.signal('approvalChanged');
    await untilFound('ApprovalGroup = "gr-board"', '');
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Rejected');
  });
}, 60_000);

test('after its workflow was terminated, an approval gets another workflow, in which people still decide', async () => {
  const id = newId('approval');
  const evaluateTransfer = inTurn<Judgement>(heldBy(id), heldBy(id), REJECTED);
  const worker = await workerWith({ evaluateTransfer, readHold: async () => APPROVED });
  await worker.runUntil(async () => {
    const transfer = await startTransfer();
    await until(id, 'RUNNING');
    const first = await statusOf(id);
    await handleOf(id).terminate();
    // Until the workflow knows that the child has ended, a wake-up is lost. The next wake-up comes after a minute.
    await waitUntil('the workflow to receive the end of the child', async () => {
      const events = (await transfer.fetchHistory()).events ?? [];
      const end = events.findIndex((one) => one.childWorkflowExecutionTerminatedEventAttributes);
      return end >= 0 && events.slice(end).some((one) => one.timerStartedEventAttributes);
    });
    await transfer.signal('approvalChanged');
    await waitUntil('another run', async () => {
      const now = await statusOf(id);
      return now?.name === 'RUNNING' && now.runId !== first?.runId;
    });
    await transfer.signal('approvalChanged');
    expect(await transfer.result()).toBe('Rejected');
    await recordHistory('transfer', 'approval-lost', transfer);
  });
}, 60_000);

test('an approval workflow ends with the workflow that waits for it, so that its id is free for another approval workflow', async () => {
  const id = newId('approval');
  const worker = await workerWith({ evaluateTransfer: async () => heldBy(id) });
  await worker.runUntil(async () => {
    const transfer = await startTransfer();
    await until(id, 'RUNNING');
    await transfer.terminate();
    await until(id, 'TERMINATED');
  });
}, 60_000);

test.each(['transfer', 'signature'] as const)(
  'a %s that waits during an upgrade continues without an approval workflow, and its next approval has one',
  async (workflow) => {
    const next = newId('approval');
    const evaluate = inTurn<Judgement>(heldBy(newId('approval')), heldBy(next), REJECTED);
    const activities = { evaluateTransfer: evaluate, evaluateSignature: evaluate, readHold: async () => APPROVED };
    const held = await leftWaiting(workflow, activities);
    const after = await workerWith(activities);
    await after.runUntil(async () => {
      await held.signal('approvalChanged');
      await until(next, 'RUNNING');
      await held.signal('approvalChanged');
      expect(await held.result()).toBe('Rejected');
      if (workflow === 'transfer') await recordHistory('transfer', 'upgraded', held);
    });
    expect(await childrenOf(held)).toEqual([next]);
  },
  60_000,
);

test('a change request that waits during an upgrade continues without an approval workflow', async () => {
  const standing = { outcome: 'Held', approvalId: newId('approval'), groups: GROUPS } as const;
  const activities = {
    reviewChangeRequest: inTurn<ChangeStanding>(standing, standing, { outcome: 'Ended', status: 'Applied' }),
  };
  const held = await leftWaiting('changeRequest', activities);
  const after = await workerWith(activities);
  await after.runUntil(async () => {
    const looks = async () =>
      ((await held.fetchHistory()).events ?? []).filter((one) => one.activityTaskCompletedEventAttributes).length;
    await held.signal('approvalChanged');
    await waitUntil('a look that changes nothing', async () => (await looks()) === 2);
    await held.signal('approvalChanged');
    expect(await held.result()).toBe('Applied');
  });
  expect(await childrenOf(held)).toEqual([]);
}, 60_000);
