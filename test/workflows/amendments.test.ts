import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { AMENDMENT_RECORDED, AMENDMENTS_WORKFLOW, amendmentsOf } from '../../workflows/amendments.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type OfferAmendment = Activities['offerAmendment'];
type Play = { readonly handle: WorkflowHandle; readonly offers: () => number };

/** Plays the amendments of an organisation against the activity on the signer's queue. `offer` is the number of the offer. */
async function play(
  title: string | undefined,
  offerAmendment: (offer: number) => ReturnType<OfferAmendment>,
  story: (play: Play) => Promise<void> = async () => undefined,
): Promise<number> {
  const orgId = newId('organization');
  const { main, signer } = routeOf(orgId);
  const connection = environment.nativeConnection;
  let offers = 0;
  const activity: OfferAmendment = async (asked) => {
    expect(asked).toEqual({ orgId });
    offers += 1;
    return offerAmendment(offers);
  };
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: { offerAmendment: activity } });
  await workflows.runUntil(
    activities.runUntil(async () => {
      const id = amendmentsOf(orgId);
      const handle = await environment.client.workflow.signalWithStart(AMENDMENTS_WORKFLOW, {
        workflowId: id,
        taskQueue: main,
        args: [{ orgId, id, routing: {} }],
        signal: AMENDMENT_RECORDED,
        signalArgs: [],
      });
      await story({ handle, offers: () => offers });
      expect(await handle.result()).toBe('Done');
      if (title !== undefined) await recordHistory('amendments', title, handle);
    }),
  );
  return offers;
}

test('amendments are offered one after another until none waits, and a refused one does not block the others', async () => {
  const answers = ['InForce', 'Refused', 'InForce'] as const;
  expect(await play('offered', async (offer) => answers[offer - 1] ?? 'NoneWaits')).toBe(4);
});

test('an amendment that is recorded during the last check is not missed', async () => {
  let signalled = () => {};
  const isSignalled = new Promise<void>((resolve) => {
    signalled = resolve;
  });
  const offers = await play(
    'recorded-meanwhile',
    async (offer) => {
      if (offer === 2) await isSignalled;
      return offer === 1 || offer === 3 ? 'InForce' : 'NoneWaits';
    },
    async ({ handle, offers: soFar }) => {
      await waitUntil('the last look', () => soFar() === 2);
      await handle.signal(AMENDMENT_RECORDED);
      signalled();
    },
  );
  expect(offers).toBe(4);
});

test('an unavailable signer is asked until it answers, and a permanent error waits for an operator', async () => {
  const offers = await play('signer-away', async (offer) => {
    if (offer < 4) throw new Error('the signer cannot be reached');
    if (offer === 4) throw ApplicationFailure.nonRetryable('Internal Server Error', 'Internal');
    return offer === 5 ? 'InForce' : 'NoneWaits';
  });
  expect(offers).toBe(6);
});

test('a request to cancel takes back nothing that members have signed', async () => {
  let cancelled = () => {};
  const isCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const offers = await play(
    'cancel-requested',
    async (offer) => {
      if (offer === 1) await isCancelled;
      return offer < 3 ? 'InForce' : 'NoneWaits';
    },
    async ({ handle, offers: soFar }) => {
      await waitUntil('the first offer', () => soFar() === 1);
      await handle.cancel();
      cancelled();
    },
  );
  expect(offers).toBe(3);
});

test('very many amendments are offered in several runs', async () => {
  const MANY = 500;
  let firstRunId = '';
  await play(
    undefined,
    async (offer) => (offer <= MANY ? 'InForce' : 'NoneWaits'),
    async ({ handle, offers }) => {
      firstRunId = (await handle.describe()).runId;
      await handle.result();
      expect(offers()).toBe(MANY + 1);
      expect((await handle.describe()).runId).not.toBe(firstRunId);
    },
  );
}, 120_000);
