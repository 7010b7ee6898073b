import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { FREEZE, FREEZE_CHANGED } from '../../workflows/freeze.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type ApplyFreeze = Activities['applyFreeze'];

/** Plays one freeze against the activity on the signer's queue. `told` counts the orders to the signer. */
async function play(
  title: string | undefined,
  applyFreeze: (told: number) => ReturnType<ApplyFreeze>,
  story: (handle: WorkflowHandle, told: () => number) => Promise<void>,
): Promise<void> {
  const { main, signer } = routeOf('or-1');
  const connection = environment.nativeConnection;
  const id = newId('freeze');
  let told = 0;
  const activity: ApplyFreeze = async (ref) => {
    expect(ref).toEqual({ orgId: 'or-1', freezeId: id });
    told += 1;
    return applyFreeze(told);
  };
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: { applyFreeze: activity } });
  await workflows.runUntil(
    activities.runUntil(async () => {
      const args = [{ orgId: 'or-1', id, routing: {} }];
      const handle = await environment.client.workflow.start(FREEZE, { workflowId: id, taskQueue: main, args });
      await story(handle, () => told);
      await handle.result();
      if (title !== undefined) await recordHistory('freeze', title, handle);
    }),
  );
}

test('the signer is notified at once, and again when the freeze is released', async () => {
  let isReleased = false;
  await play(
    'released',
    async () => (isReleased ? 'Released' : 'Standing'),
    async (handle, told) => {
      await waitUntil('the signer to apply the freeze', () => told() === 1);
      isReleased = true;
      await handle.signal(FREEZE_CHANGED);
    },
  );
});

test('a release is not missed if it arrives while the signer is being notified of the freeze', async () => {
  let signalled = () => {};
  const isSignalled = new Promise<void>((resolve) => {
    signalled = resolve;
  });
  await play(
    'released-meanwhile',
    async (told) => {
      if (told > 1) return 'Released';
      await isSignalled;
      return 'Standing';
    },
    async (handle, told) => {
      await waitUntil('the first attempt', () => told() === 1);
      await handle.signal(FREEZE_CHANGED);
      signalled();
    },
  );
});

test('every hour the freeze is sent again, for signers with an older state folder; a lost signal thus delays the release by an hour at most', async () => {
  await play(
    'told-again',
    async (told) => (told < 4 ? 'Standing' : 'Released'),
    async (handle, told) => {
      await handle.result();
      expect(told()).toBe(4);
    },
  );
});

test('an unreachable signer is asked until it answers, and a refused order is repeated after an operator’s intervention', async () => {
  await play(
    'signer-away',
    async (told) => {
      if (told < 4) throw new Error('the signer cannot be reached');
      if (told === 4) throw ApplicationFailure.nonRetryable('MalformedOrder', 'SignerRefused');
      return told === 5 ? 'Standing' : 'Released';
    },
    async (handle) => {
      await handle.result();
    },
  );
});

test('a request to cancel releases nothing', async () => {
  await play(
    'cancel-requested',
    async (told) => (told < 2 ? 'Standing' : 'Released'),
    async (handle, told) => {
      await waitUntil('the signer to apply the freeze', () => told() === 1);
      await handle.cancel();
      await handle.signal(FREEZE_CHANGED);
    },
  );
});

test('a freeze that lasts for years continues in new runs', async () => {
  const HOURS = 400;
  await play(
    undefined,
    async (told) => (told < HOURS ? 'Standing' : 'Released'),
    async (handle, told) => {
      await handle.result();
      expect(told()).toBe(HOURS);
      const { runId } = await environment.client.workflow.getHandle(handle.workflowId).describe();
      const first = environment.client.workflow.getHandle(handle.workflowId, runId).fetchHistory();
      expect((await first).events?.length ?? 0).toBeLessThan(2_200);
    },
  );
}, 120_000);
