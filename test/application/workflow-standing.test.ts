import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { standingOver } from '../../application/workflow-standing';
import { newId } from '../../platform/ids';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const path = process.env['TEMPORAL_CLI_PATH'];
  const server = path ? { server: { executable: { type: 'existing-path' as const, path } } } : {};
  environment = await TestWorkflowEnvironment.createLocal(server);
}, 120_000);
afterAll(() => environment?.teardown());

test('a workflow is unknown, runs, or has ended, and a server that does not answer says none of these', async () => {
  const standingOf = standingOver(environment.client);
  const workflowId = newId('transfer');
  expect(await standingOf(workflowId)).toEqual({ kind: 'Unknown' });
  const handle = await environment.client.workflow.start('transfer', { workflowId, taskQueue: 'nobody', args: [] });
  expect(await standingOf(workflowId)).toEqual({ kind: 'Running' });
  await handle.terminate();
  expect(await standingOf(workflowId)).toEqual({ kind: 'Ended', how: 'TERMINATED', closeTime: expect.any(Date) });
  await expect(standingOver(environment.client, -1)(workflowId)).rejects.toThrow();
});
