import { randomUUID } from 'node:crypto';
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import type { ChangeStanding } from '../../domain/change-requests';
import { routeOf } from '../../domain/routes';
import { CHANGE_REQUEST } from '../../workflows/change-request.messages';
import { approvalChanged } from '../../workflows/transfer.messages';
import { recordHistory } from '../support/recording';
import { stagesShown } from '../support/stages-shown';
import { openTimeSkipping } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const HOUR_MS = 3_600_000;
const orgId = 'or-1';
const id = 'cr-1';

type Steps = Pick<Activities, 'reviewChangeRequest' | 'expireChangeRequest' | 'failChangeRequest' | 'tellApprovers'>;
type Handle = WorkflowHandle<(input: unknown) => Promise<string>>;

const groups = [{ name: 'Security', quorum: 1, have: 0 }];
const held = (approvalId: string, rejectsItselfAfterMs?: number): ChangeStanding => ({
  outcome: 'Held',
  approvalId,
  groups,
  ...(rejectsItselfAfterMs === undefined ? {} : { rejectsItselfAfterMs }),
});
const ended = (status: 'Applied' | 'Failed' | 'Rejected'): ChangeStanding => ({ outcome: 'Ended', status });
const unexpected = async () => {
  throw ApplicationFailure.nonRetryable('not part of this story');
};

/** Runs the workflow to its end. `standings` contains the result of each review in order, and `title` names the recording. */
async function play(
  title: string,
  standings: readonly ChangeStanding[],
  story: (workflow: Handle, calls: readonly unknown[]) => Promise<unknown>,
  steps: Partial<Steps> = {},
): Promise<{ readonly result: string; readonly calls: readonly (readonly unknown[])[]; readonly stages: readonly string[] }> {
  const left = [...standings];
  const calls: (readonly unknown[])[] = [];
  const all: Steps = {
    reviewChangeRequest: async () => left.shift() ?? unexpected(),
    expireChangeRequest: unexpected,
    failChangeRequest: unexpected,
    tellApprovers: unexpected,
    ...steps,
  };
  const activities = Object.fromEntries(
    Object.entries(all).map(([name, run]) => [
      name,
      (...args: readonly unknown[]) => {
        calls.push([name, ...args]);
        return (run as (...given: readonly unknown[]) => Promise<unknown>)(...args);
      },
    ]),
  );
  const taskQueue = routeOf(orgId).main;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: WORKFLOW_BUNDLE,
    activities,
  });
  return worker.runUntil(async () => {
    const options = { workflowId: `${id}-${randomUUID()}`, taskQueue, args: [{ orgId, id, routing: {} }] };
    const workflow: Handle = await environment.client.workflow.start(CHANGE_REQUEST, options);
    await story(workflow, calls);
    const result = await workflow.result();
    await recordHistory('change-request', title, workflow);
    return { result, calls, stages: await stagesShown(workflow) };
  });
}

const ref = { orgId, changeRequestId: id };
const nothing = async () => undefined;
/** Sends a vote while the workflow runs its first review or already waits. */
const voted = async (workflow: Handle, calls: readonly unknown[]) => {
  await waitUntil('the first review', () => calls.length === 1);
  await workflow.signal(approvalChanged);
};

test('a vote wakes a change request, and the result of the review ends the change request', async () => {
  const { result, calls } = await play('approved', [held('ap-1', HOUR_MS), ended('Applied')], voted);
  expect(result).toBe('Applied');
  expect(calls).toEqual([
    ['reviewChangeRequest', ref],
    ['reviewChangeRequest', ref],
  ]);
});

test('a change request that never expires keeps waiting after votes that do not decide it', async () => {
  const standings = [held('ap-1'), held('ap-1'), ended('Rejected')];
  const { result, stages } = await play('denied', standings, async (workflow, calls) => {
    // Two votes before one review cause only one wake-up, so the second vote comes after the second review.
    await voted(workflow, calls);
    await waitUntil('the second review', () => calls.length === 2);
    await workflow.signal(approvalChanged);
  });
  expect(result).toBe('Rejected');
  expect(stages).toEqual(['Approval', '']);
});

test('at its deadline, a change request ends together with its approval', async () => {
  const expireChangeRequest = async () => ended('Rejected');
  const { result, calls } = await play('expired', [held('ap-1', HOUR_MS)], nothing, { expireChangeRequest });
  expect(result).toBe('Rejected');
  expect(calls.at(-1)).toEqual(['expireChangeRequest', ref, 'ap-1']);
});

test('a vote that was accepted before the deadline prevails', async () => {
  const expireChangeRequest = async () => ended('Applied');
  expect((await play('vote-beats-expiry', [held('ap-1', HOUR_MS)], nothing, { expireChangeRequest })).result).toBe('Applied');
});

test('approvers are notified at once and reminded later, and the deadline of the approval does not move', async () => {
  const left = [{ nextNoticeInMs: HOUR_MS / 2 }, {}];
  const tellApprovers = async () => left.shift() ?? unexpected();
  const expireChangeRequest = async () => ended('Rejected');
  const told = { ...held('ap-1', HOUR_MS), nextNoticeInMs: 0 };
  const { result, calls } = await play('reminded', [told], nothing, { expireChangeRequest, tellApprovers });
  expect(result).toBe('Rejected');
  expect(calls.map(([name]) => name)).toEqual(['reviewChangeRequest', 'tellApprovers', 'tellApprovers', 'expireChangeRequest']);
});

test('an escalation that includes an earlier vote wakes the change request as a new vote would', async () => {
  const told = { ...held('ap-1'), nextNoticeInMs: HOUR_MS };
  let workflow: Handle | undefined;
  const tellApprovers = async () => {
    await workflow?.signal(approvalChanged);
    return {};
  };
  const story = async (handle: Handle) => {
    workflow = handle;
  };
  const { result, calls } = await play('escalated', [told, ended('Applied')], story, { tellApprovers });
  expect(result).toBe('Applied');
  expect(calls.map(([name]) => name)).toEqual(['reviewChangeRequest', 'tellApprovers', 'reviewChangeRequest']);
});

test('when a stricter policy holds a change a second time, the change waits for the new approval until the deadline of that approval', async () => {
  const standings = [held('ap-1'), held('ap-2', HOUR_MS), held('ap-2', HOUR_MS)];
  const expireChangeRequest = async () => ended('Rejected');
  const { result, calls } = await play('held-twice', standings, voted, { expireChangeRequest });
  expect(result).toBe('Rejected');
  expect(calls.at(-1)).toEqual(['expireChangeRequest', ref, 'ap-2']);
});

test('a change that was decided before its workflow began ends without waiting', async () => {
  expect((await play('decided-before', [ended('Applied')], nothing)).result).toBe('Applied');
});

test('a permanent error of the review ends the change, so that the record is free for other changes', async () => {
  const reviewChangeRequest = () => Promise.reject(ApplicationFailure.nonRetryable('the rows are damaged', 'Internal'));
  const failChangeRequest = async () => 'Failed' as const;
  const { result, calls } = await play('broken', [], nothing, { reviewChangeRequest, failChangeRequest });
  expect(result).toBe('Failed');
  expect(calls.at(-1)).toEqual(['failChangeRequest', ref]);
});

test('the workflow ignores a request to cancel it, so its change does not stay pending for ever', async () => {
  const { result } = await play('cancel-requested', [held('ap-1'), ended('Applied')], async (workflow, calls) => {
    await workflow.cancel();
    await voted(workflow, calls);
  });
  expect(result).toBe('Applied');
});

test('an unavailable database delays a change and does not lose it', async () => {
  let attempts = 0;
  const reviewChangeRequest = async (): Promise<ChangeStanding> => {
    attempts += 1;
    if (attempts < 20) throw new Error('the database is away');
    return ended('Applied');
  };
  expect((await play('database-away', [], nothing, { reviewChangeRequest })).result).toBe('Applied');
});
