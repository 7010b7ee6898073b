import { randomUUID } from 'node:crypto';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { KeyActivities } from '../../activities/keys';
import { routeOf } from '../../domain/routes';
import { CREATE_KEY } from '../../workflows/create-key.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const input = { orgId: 'or-1', id: 'key-1' };

/** Runs the workflow to its end against the activity on the queue where the signer's work belongs; `title` names the recording. */
async function run(
  title: string,
  makeKey: KeyActivities['makeKey'],
  meanwhile?: (handle: { readonly cancel: () => Promise<unknown> }) => Promise<unknown>,
): Promise<void> {
  const { main, signer } = routeOf(input.orgId);
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: { makeKey } });
  await workflows.runUntil(
    activities.runUntil(async () => {
      const options = { workflowId: `${input.id}-${randomUUID()}`, taskQueue: main, args: [{ ...input, routing: {} }] };
      const handle = await environment.client.workflow.start(CREATE_KEY, options);
      await meanwhile?.(handle);
      try {
        await handle.result();
      } finally {
        await recordHistory('create-key', title, handle);
      }
    }),
  );
}

test('the key is asked for once, on the queue of the signer, with ids and nothing else', async () => {
  const asked: unknown[] = [];
  await run('created', async (order) => {
    asked.push(order);
  });
  expect(asked).toEqual([{ orgId: 'or-1', keyId: 'key-1' }]);
});

test('a signer that cannot be reached delays the key and does not lose it', async () => {
  let attempts = 0;
  await run('signer-away', async () => {
    attempts += 1;
    if (attempts < 20) throw new Error('the signer cannot be reached');
  });
  expect(attempts).toBe(20);
});

test('an order that the signer refuses ends the workflow, so that an operator sees it', async () => {
  const refused = run('refused', async () => {
    throw ApplicationFailure.nonRetryable('the signer refused', 'SignerRefused');
  });
  await expect(refused).rejects.toThrow(WorkflowFailedError);
});

test('a request to cancel leaves no key unfinished', async () => {
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
