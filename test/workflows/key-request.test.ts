import { randomUUID } from 'node:crypto';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { KeyActivities } from '../../activities/keys';
import { routeOf } from '../../domain/routes';
import { KEY_REQUEST } from '../../workflows/key-request.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const input = { orgId: 'or-1', id: 'krq-1' };

/** Runs the workflow to its end against the activity on the queue where the signer's work belongs; `title` names the recording. */
async function run(
  title: string,
  carryOutKeyRequest: KeyActivities['carryOutKeyRequest'],
  meanwhile?: (handle: { readonly cancel: () => Promise<unknown> }) => Promise<unknown>,
): Promise<void> {
  const { main, signer } = routeOf(input.orgId);
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: { carryOutKeyRequest } });
  await workflows.runUntil(
    activities.runUntil(async () => {
      const options = { workflowId: `${input.id}-${randomUUID()}`, taskQueue: main, args: [{ ...input, routing: {} }] };
      const handle = await environment.client.workflow.start(KEY_REQUEST, options);
      await meanwhile?.(handle);
      try {
        await handle.result();
      } finally {
        await recordHistory('key-request', title, handle);
      }
    }),
  );
}

test('the signer is asked once, on its queue, and the history has ids and nothing else', async () => {
  const asked: unknown[] = [];
  await run('answered', async (order) => {
    asked.push(order);
  });
  expect(asked).toEqual([{ orgId: 'or-1', requestId: 'krq-1' }]);
});

test('a signer that cannot be reached delays the request, which the row then refuses as too late', async () => {
  let attempts = 0;
  await run('signer-away', async () => {
    attempts += 1;
    if (attempts < 20) throw new Error('the signer cannot be reached');
  });
  expect(attempts).toBe(20);
});

test('a fault of our own ends the workflow, so that an operator sees it', async () => {
  const broken = run('broken', async () => {
    throw ApplicationFailure.nonRetryable('broken', 'Internal');
  });
  await expect(broken).rejects.toThrow(WorkflowFailedError);
});

test('a request to cancel leaves nothing half done', async () => {
  let cancelled = () => {};
  const isCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  let made = 0;
  await run(
    'cancel-requested',
    async () => {
      await isCancelled;
      made += 1;
    },
    async (handle) => {
      await handle.cancel();
      cancelled();
    },
  );
  expect(made).toBe(1);
});
