import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { chainQueueOf, sharedRoute } from '../../domain/routes';
import { createLogger } from '../../platform/logger';
import { inContext, requestContext } from '../../platform/request-context';
import { contextInterceptor } from '../../platform/temporal-context';
import { activityContext } from '../../worker/interceptors/context';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const NETWORK = 'EthereumSepolia';
/** The follower goes on in a new run after two hundred rounds. */
const ROUNDS = 202;

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal({ interceptors: { workflow: [contextInterceptor] } });
}, 120_000);
afterAll(() => environment?.teardown());

test('every activity of a workflow, in this run and the next, serves the request that started it', async () => {
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
