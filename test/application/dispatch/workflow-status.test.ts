import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { workflowStatusOver } from '../../../application/dispatch/workflow-status';
import { newId } from '../../../platform/ids';
import { openLocal } from '../../support/temporal';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal();
}, 120_000);
afterAll(() => environment?.teardown());

test('a workflow is reported as unknown, running or ended, and the call fails when the server does not answer', async () => {
  const standingOf = workflowStatusOver(environment.client);
  const workflowId = newId('transfer');
  expect(await standingOf(workflowId)).toEqual({ kind: 'Unknown' });
  const handle = await environment.client.workflow.start('transfer', { workflowId, taskQueue: 'nobody', args: [] });
  expect(await standingOf(workflowId)).toEqual({ kind: 'Running' });
  await handle.terminate();
  expect(await standingOf(workflowId)).toEqual({ kind: 'Ended', how: 'TERMINATED', closeTime: expect.any(Date) });
  await expect(workflowStatusOver(environment.client, -1)(workflowId)).rejects.toThrow();
});
