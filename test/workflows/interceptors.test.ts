import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { chainQueueOf, sharedRoute } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { createLogger } from '../../platform/logger';
import { inContext, requestContext } from '../../platform/request-context';
import { contextInterceptor } from '../../platform/temporal-context';
import { activityContext } from '../../worker/interceptors/context';
import { registerSearchAttributes } from '../../worker/search-attributes';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const NETWORK = 'EthereumSepolia';
/** The follower continues in a new run after two hundred rounds. */
const ROUNDS = 202;

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal({ interceptors: { workflow: [contextInterceptor] } });
}, 120_000);
afterAll(() => environment?.teardown());

test('every activity of a workflow, in this run and the next, runs in the context of the request that started the workflow', async () => {
  const served: (string | undefined)[] = [];
  let end = () => {};
  const untilTheEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const followNetwork = async () => {
    served.push(requestContext().requestId);
    if (served.length === ROUNDS) await untilTheEnd;
  };
  const connection = environment.nativeConnection;
  const interceptors = { activity: [activityContext(createLogger('test', 'silent'))] };
  const workflows = await Worker.create({
    connection,
    taskQueue: sharedRoute.main,
    workflowBundle: WORKFLOW_BUNDLE,
  });
  const activities = await Worker.create({
    connection,
    taskQueue: chainQueueOf(NETWORK),
    activities: { followNetwork },
    interceptors,
  });
  const options = { workflowId: 'carries-on', taskQueue: sharedRoute.main, args: [{ network: NETWORK }] };
  await workflows.runUntil(
    activities.runUntil(async () => {
      await inContext({ requestId: 'req-1' }, () => environment.client.workflow.start('networkFollower', options));
      await waitUntil('two rounds of the second run', () => served.length === ROUNDS, 90_000);
      await environment.client.workflow.getHandle('carries-on').terminate();
      end();
    }),
  );
  expect(new Set(served)).toEqual(new Set(['req-1']));
}, 180_000);

test('the activities of an approval run in the context of the request whose transfer the approval holds', async () => {
  const { client, nativeConnection: connection, namespace = 'default' } = environment;
  await registerSearchAttributes(connection, namespace);
  const served: (string | undefined)[] = [];
  const activities = {
    evaluateTransfer: async () =>
      served.length === 0
        ? { outcome: 'Held', approvalId: newId('approval'), groups: [], rejectsItselfAfterMs: 1 }
        : { outcome: 'Ended', state: 'Rejected' },
    expireHold: async () => {
      served.push(requestContext().requestId);
      return { status: 'Approved', groups: [] };
    },
  };
  const interceptors = { activity: [activityContext(createLogger('test', 'silent'))] };
  const { main: taskQueue } = sharedRoute;
  const worker = await Worker.create({ connection, taskQueue, workflowBundle: WORKFLOW_BUNDLE, activities, interceptors });
  const id = newId('transfer');
  const options = { workflowId: id, taskQueue, args: [{ orgId: newId('organization'), id, routing: { network: NETWORK } }] };
  await worker.runUntil(inContext({ requestId: 'req-2' }, () => client.workflow.execute('transfer', options)));
  expect(served).toEqual(['req-2']);
}, 60_000);
