import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import type { Judgement } from '../../domain/judgements';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { registerSearchAttributes } from '../../worker/search-attributes';
import { recordHistory } from '../support/recording';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

// The server that skips time does not tell a workflow that its child was terminated.
let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal();
  await registerSearchAttributes(environment.nativeConnection, environment.namespace ?? 'default');
}, 120_000);
afterAll(() => environment?.teardown());

const orgId = newId('organization');
const taskQueue = routeOf(orgId).main;
const asks = [{ vendor: 'KytA', screeningId: 'scr-a' }] as const;
const RECORDED_AS = { transfer: 'transfer', signature: 'signature', incomingTransaction: 'incoming-transaction' } as const;

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];
const isOfTask = (one: Event): boolean =>
  [
    one.workflowTaskScheduledEventAttributes,
    one.workflowTaskStartedEventAttributes,
    one.workflowTaskCompletedEventAttributes,
  ].some(Boolean);

test.each(['transfer', 'signature', 'incomingTransaction'] as const)(
  'after a terminated screening, the waiting %s is neither judged nor continued for a minute',
  async (workflow) => {
    const done: string[] = [];
    /** Records every step that runs, so that the test sees an unexpected step. */
    const counted = <T>(step: string, answer: T) => {
      const run = async () => {
        done.push(step);
        return answer;
      };
      return [step, run] as const;
    };
    const activities = Object.fromEntries([
      counted<Judgement>('evaluateTransfer', { outcome: 'Asking', asks }),
      counted<Judgement>('evaluateSignature', { outcome: 'Asking', asks }),
      counted<Awaited<ReturnType<Activities['judgeIncoming']>>>('judgeIncoming', { outcome: 'Asking', asks }),
      counted('failScreening', undefined),
    ]);
    const connection = environment.nativeConnection;
    const worker = await Worker.create({ connection, taskQueue, workflowBundle: WORKFLOW_BUNDLE, activities });
    await worker.runUntil(async () => {
      const id = newId(workflow);
      const args = [{ orgId, id, routing: { network: 'EthereumSepolia' } }];
      const record = await environment.client.workflow.start(workflow, { workflowId: id, taskQueue, args });
      const events = async () => (await record.fetchHistory()).events ?? [];
      await waitUntil('the screening', async () =>
        (await events()).some((one) => one.childWorkflowExecutionStartedEventAttributes),
      );
      const judged = [...done];
      await environment.client.workflow.getHandle(`${id}:KytA`).terminate();
      const after = await waitUntil('the step after the end of the child', async () => {
        const all = await events();
        const end = all.findIndex((one) => one.childWorkflowExecutionTerminatedEventAttributes);
        const rest = end < 0 ? [] : all.slice(end + 1);
        return rest.some((one) => one.workflowTaskCompletedEventAttributes) && rest;
      });
      const commands = after.filter((one) => !isOfTask(one));
      expect(commands.map(({ timerStartedEventAttributes: timer }) => Number(timer?.startToFireTimeout?.seconds))).toEqual([60]);
      expect([done, (await record.describe()).status.name]).toEqual([judged, 'RUNNING']);
      await record.terminate();
      await recordHistory(RECORDED_AS[workflow], 'screening-lost', record);
    });
  },
  60_000,
);
