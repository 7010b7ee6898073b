import { randomUUID } from 'node:crypto';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WalletActivities } from '../../activities/wallets';
import { routeOf } from '../../domain/routes';
import { CREATE_WALLET } from '../../workflows/create-wallet.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const input = { orgId: 'or-1', id: 'wa-1' };

type Wallet = { readonly cancel: () => Promise<unknown> };

/** Runs the workflow to its end against activities on the queue where the signer's work belongs; `title` names the recording. */
async function run(
  title: string,
  createWalletKey: WalletActivities['createWalletKey'],
  meanwhile?: (wallet: Wallet) => Promise<unknown>,
): Promise<void> {
  const { main, signer } = routeOf(input.orgId);
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: { createWalletKey } });
  await workflows.runUntil(
    activities.runUntil(async () => {
      const workflowId = `${input.id}-${randomUUID()}`;
      const options = { workflowId, taskQueue: main, args: [{ ...input, routing: {} }] };
      const handle = await environment.client.workflow.start(CREATE_WALLET, options);
      await meanwhile?.(handle);
      try {
        await handle.result();
      } finally {
        await recordHistory('create-wallet', title, handle);
      }
    }),
  );
}

test('the key is asked for once, on the queue of the signer, with ids and nothing else', async () => {
  const asked: unknown[] = [];
  await run('created', async (order) => {
    asked.push(order);
  });
  expect(asked).toEqual([{ orgId: 'or-1', walletId: 'wa-1' }]);
});

test('a signer that cannot be reached delays the wallet and does not lose it', async () => {
  let attempts = 0;
  await run('signer-away', async () => {
    attempts += 1;
    if (attempts < 40) throw new Error('the signer cannot be reached');
  });
  expect(attempts).toBe(40);
});

test('an order that the signer refuses ends the workflow, so that an operator sees it', async () => {
  const refused = run('refused', async () => {
    throw ApplicationFailure.nonRetryable('the signer refused', 'SignerRefused');
  });
  await expect(refused).rejects.toThrow(WorkflowFailedError);
});

test('a request to cancel leaves no wallet unfinished', async () => {
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
    async (wallet) => {
      await wallet.cancel();
      cancelled();
    },
  );
  expect(made).toBe(1);
});
