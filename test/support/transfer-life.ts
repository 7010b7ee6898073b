import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { JUDGED_HERE } from '../../domain/judgements';
import { routeOf } from '../../domain/routes';
import type { TransferRef } from '../../domain/transfer-steps';
import { newId } from '../../platform/ids';
import type { TransferInput } from '../../workflows/transfer.messages';
import { recordHistory } from './recording';
import { openTimeSkipping } from './temporal';
import { WORKFLOW_BUNDLE } from './workflow-bundle';

type TransferActivities = Pick<
  Activities,
  | 'evaluateTransfer'
  | 'readHold'
  | 'expireHold'
  | 'endEqual'
  | 'tellApprovers'
  | 'prepareTransfer'
  | 'signTransfer'
  | 'broadcastTransfer'
  | 'failTransfer'
  | 'readSettled'
  | 'submitTravelRule'
  | 'pollTravelRule'
  | 'readTravelRule'
  | 'failTravelRule'
>;

/** Activities of a transfer that no policy holds and no fault stops. A test replaces the activities that its story changes. */
const smooth: TransferActivities = {
  evaluateTransfer: async () => ({ outcome: 'Cleared' }),
  readHold: async () => ({ status: 'Approved', groups: [] }),
  expireHold: async () => ({ status: 'Expired', groups: [] }),
  endEqual: async () => undefined,
  tellApprovers: async () => ({}),
  prepareTransfer: async () => 'Ready',
  signTransfer: async () => 'Signed',
  broadcastTransfer: async () => undefined,
  failTransfer: async () => 'Failed',
  readSettled: async () => undefined,
  submitTravelRule: async () => ({ state: 'Accepted', waitMs: 0 }),
  pollTravelRule: async () => ({ state: 'Accepted', waitMs: 0 }),
  readTravelRule: async () => ({ state: 'Accepted', waitMs: 0 }),
  failTravelRule: async () => ({ state: 'Failed', waitMs: 0 }),
};

export type Transfer = WorkflowHandle<(input: TransferInput) => Promise<string>>;

export type TransferStage = {
  readonly environment: TestWorkflowEnvironment;
  /**
   * Runs one transfer with these activities, and returns the result of the story. `calls` contains the names of the activities
   * in the order in which they ran.
   */
  readonly play: <T>(
    title: string,
    replaced: Partial<TransferActivities>,
    story: (transfer: Transfer, calls: readonly string[]) => Promise<T>,
    routing?: Partial<TransferInput['routing']>,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
};

const NETWORK = 'EthereumSepolia';

/** The real transfer workflow on the time-skipping server. If RECORD_HISTORIES is set, each story records its history. */
export async function openTransferStage(): Promise<TransferStage> {
  const environment = await openTimeSkipping();

  const plays = new Map<string, { readonly activities: TransferActivities; readonly calls: string[] }>();
  // One set of workers serves every story: an activity finds its story by the id of the transfer.
  const activities = Object.fromEntries(
    (Object.keys(smooth) as (keyof TransferActivities)[]).map((name) => [
      name,
      (ref: TransferRef, ...rest: readonly unknown[]) => {
        const story = plays.get(ref.transferId);
        if (!story) throw new Error(`No story plays ${ref.transferId}`);
        story.calls.push(name);
        return (story.activities[name] as (...args: readonly unknown[]) => Promise<unknown>)(ref, ...rest);
      },
    ]),
  );
  const orgId = newId('organization');
  const { main, signer, chain, vendor } = routeOf(orgId);
  const connection = environment.nativeConnection;
  const workers = await Promise.all([
    Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE, activities }),
    Worker.create({ connection, taskQueue: signer, activities }),
    Worker.create({ connection, taskQueue: chain(NETWORK), activities }),
    Worker.create({ connection, taskQueue: vendor('TravelRule'), activities }),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));

  const play: TransferStage['play'] = async (title, replaced, story, routing = {}) => {
    const id = newId('transfer');
    const calls: string[] = [];
    plays.set(id, { activities: { ...smooth, ...replaced }, calls });
    const handle = await environment.client.workflow.start('transfer', {
      workflowId: id,
      taskQueue: main,
      args: [{ orgId, id, routing: { network: NETWORK, ...JUDGED_HERE, ...routing } }],
    });
    const result = await story(handle, calls);
    // Only the last of several runs is recorded: the earlier runs have thousands of events.
    await recordHistory('transfer', title, environment.client.workflow.getHandle(id));
    return result;
  };
  const close = async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await environment.teardown();
  };
  return { environment, play, close };
}
