import { randomUUID } from 'node:crypto';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { KeyActivities } from '../../activities/keys/keys';
import type { WalletActivities } from '../../activities/wallets/wallets';
import { routeOf } from '../../domain/routes';
import { CREATE_KEY } from '../../workflows/create-key.messages';
import { CREATE_WALLET } from '../../workflows/create-wallet.messages';
import { KEY_REQUEST } from '../../workflows/key-request.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type Order = Parameters<KeyActivities['makeKey' | 'carryOutKeyRequest'] | WalletActivities['createWalletKey']>[0];

/** Three workflows that send the signer one order each and wait until the signer answers. */
const ORDERS = [
  {
    workflow: 'create-key',
    type: CREATE_KEY,
    activity: 'makeKey' satisfies keyof KeyActivities,
    id: 'key-1',
    order: { orgId: 'or-1', keyId: 'key-1' },
    recorded: { done: 'created', failed: 'refused' },
    attemptsMax: 20,
    fault: ApplicationFailure.nonRetryable('the signer refused', 'SignerRefused'),
    titles: {
      once: 'the key is requested once, on the queue of the signer, with ids and nothing else',
      away: 'a signer that cannot be reached delays the key and does not lose it',
      fault: 'an order that the signer refuses ends the workflow, so that an operator sees it',
      cancel: 'a request to cancel leaves no key unfinished',
    },
  },
  {
    workflow: 'create-wallet',
    type: CREATE_WALLET,
    activity: 'createWalletKey' satisfies keyof WalletActivities,
    id: 'wa-1',
    order: { orgId: 'or-1', walletId: 'wa-1' },
    recorded: { done: 'created', failed: 'refused' },
    attemptsMax: 40,
    fault: ApplicationFailure.nonRetryable('the signer refused', 'SignerRefused'),
    titles: {
      once: 'the key is requested once, on the queue of the signer, with ids and nothing else',
      away: 'a signer that cannot be reached delays the wallet and does not lose it',
      fault: 'an order that the signer refuses ends the workflow, so that an operator sees it',
      cancel: 'a request to cancel leaves no wallet unfinished',
    },
  },
  {
    workflow: 'key-request',
    type: KEY_REQUEST,
    activity: 'carryOutKeyRequest' satisfies keyof KeyActivities,
    id: 'krq-1',
    order: { orgId: 'or-1', requestId: 'krq-1' },
    recorded: { done: 'answered', failed: 'broken' },
    attemptsMax: 20,
    fault: ApplicationFailure.nonRetryable('broken', 'Internal'),
    titles: {
      once: 'the signer is asked once, on its queue, and the history contains ids and nothing else',
      away: 'a signer that cannot be reached delays the request, which is then refused as too late',
      fault: 'a fault of our own ends the workflow, so that an operator sees it',
      cancel: 'a request to cancel the workflow does not interrupt the order to the signer',
    },
  },
] as const;

describe.each(ORDERS)('$workflow', ({ workflow, type, activity, id, order: expected, recorded, attemptsMax, fault, titles }) => {
  /** Runs the workflow to its end against the activity on the signer's queue; `title` names the recording. */
  async function run(
    title: string,
    ask: (order: Order) => Promise<void>,
    meanwhile?: (handle: { readonly cancel: () => Promise<unknown> }) => Promise<unknown>,
  ): Promise<void> {
    const { main, signer } = routeOf('or-1');
    const connection = environment.nativeConnection;
    const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
    const activities = await Worker.create({ connection, taskQueue: signer, activities: { [activity]: ask } });
    await workflows.runUntil(
      activities.runUntil(async () => {
        const args = [{ orgId: 'or-1', id, routing: {} }];
        const options = { workflowId: `${id}-${randomUUID()}`, taskQueue: main, args };
        const handle = await environment.client.workflow.start(type, options);
        await meanwhile?.(handle);
        try {
          await handle.result();
        } finally {
          await recordHistory(workflow, title, handle);
        }
      }),
    );
  }

  test(titles.once, async () => {
    const asked: unknown[] = [];
    await run(recorded.done, async (order) => {
      asked.push(order);
    });
    expect(asked).toEqual([expected]);
  });

  test(titles.away, async () => {
    let attempts = 0;
    await run('signer-away', async () => {
      attempts += 1;
      if (attempts < attemptsMax) throw new Error('the signer cannot be reached');
    });
    expect(attempts).toBe(attemptsMax);
  });

  test(titles.fault, async () => {
    const failed = run(recorded.failed, async () => {
      throw fault;
    });
    await expect(failed).rejects.toThrow(WorkflowFailedError);
  });

  test(titles.cancel, async () => {
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
});
