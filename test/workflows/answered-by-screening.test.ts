import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../../activities';
import type { Judgement } from '../../domain/judgements';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { SEARCH_ATTRIBUTES } from '../../platform/search-attributes';
import { registerSearchAttributes } from '../../worker/search-attributes';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { bundleBefore, WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal();
  await registerSearchAttributes(environment.nativeConnection, environment.namespace ?? 'default');
}, 120_000);
afterAll(() => environment?.teardown());

const orgId = newId('organization');
const { main, vendor } = routeOf(orgId);
const LIMIT_MS = 60_000;

/** A judgement that first asks one vendor and then ends the record. */
function asksFirst(): () => Promise<Judgement> {
  let judgements = 0;
  return async () => {
    judgements += 1;
    const asks = [{ vendor: 'KytA', screeningId: 'scr-1' }] as const;
    return judgements === 1 ? { outcome: 'Asking', asks } : { outcome: 'Ended', state: 'Rejected' };
  };
}

const connection = () => environment.nativeConnection;
const workerWith = (activities: Partial<Activities>, workflowBundle: WorkflowBundleOption = WORKFLOW_BUNDLE) =>
  Worker.create({ connection: connection(), taskQueue: main, workflowBundle, activities });
const answering = () =>
  Worker.create({ connection: connection(), taskQueue: vendor('KytA'), activities: { screen: async () => undefined } });

function startTransfer(): Promise<WorkflowHandle> {
  const id = newId('transfer');
  const args = [{ orgId, id, routing: { network: 'EthereumSepolia' } }];
  return environment.client.workflow.start('transfer', { workflowId: id, taskQueue: main, args });
}

async function found(query: string): Promise<string> {
  const ids: string[] = [];
  for await (const { workflowId } of environment.client.workflow.list({ query })) ids.push(workflowId);
  return ids.join();
}

test('a screening with a silent vendor is found by record and vendor, by stage and by deadline', async () => {
  const worker = await workerWith({ evaluateTransfer: asksFirst() });
  await worker.runUntil(async () => {
    const transfer = await startTransfer();
    const id = `${transfer.workflowId}:KytA`;
    const soon = new Date(Date.now() + 2 * LIMIT_MS).toISOString();
    const query = `WorkflowType = "screening" AND Stage = "Screening" AND Deadline < "${soon}" AND ExecutionStatus = "Running"`;
    await waitUntil('the screening', async () => (await found(query)) === id);
    const { typedSearchAttributes, startTime } = await environment.client.workflow.getHandle(id).describe();
    const deadline = typedSearchAttributes.get(SEARCH_ATTRIBUTES.deadline);
    expect(Math.abs((deadline?.getTime() ?? 0) - startTime.getTime() - LIMIT_MS)).toBeLessThan(LIMIT_MS / 2);
    const answers = await answering();
    expect(await answers.runUntil(transfer.result())).toBe('Rejected');
    await waitUntil('the end of the screening', async () => (await found(query)) === '');
  });
}, 60_000);

test('a screening ends when the workflow that waits for it ends', async () => {
  const worker = await workerWith({ evaluateTransfer: asksFirst() });
  await worker.runUntil(async () => {
    const transfer = await startTransfer();
    const status = async () => {
      const screening = environment.client.workflow.getHandle(`${transfer.workflowId}:KytA`);
      return screening.describe().then(
        (now) => now.status.name,
        () => undefined,
      );
    };
    await waitUntil('the screening', async () => (await status()) === 'RUNNING');
    await transfer.terminate();
    await waitUntil('the end of the screening', async () => (await status()) === 'TERMINATED');
  });
}, 60_000);

test('a transfer that asked a vendor before an upgrade receives the answer after the upgrade', async () => {
  const evaluateTransfer = asksFirst();
  const before = await workerWith({ evaluateTransfer }, bundleBefore('screening-is-a-workflow'));
  const transfer = await before.runUntil(async () => {
    const handle = await startTransfer();
    const isAsked = async () =>
      ((await handle.fetchHistory()).events ?? []).some(
        ({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name === 'screen',
      );
    await waitUntil('the question', isAsked);
    return handle;
  });
  const [after, answers] = [await workerWith({ evaluateTransfer }), await answering()];
  expect(await after.runUntil(answers.runUntil(transfer.result()))).toBe('Rejected');
  const { events } = await transfer.fetchHistory();
  expect((events ?? []).filter((one) => one.startChildWorkflowExecutionInitiatedEventAttributes)).toEqual([]);
}, 60_000);
