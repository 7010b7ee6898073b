import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { chainQueueOf, sharedRoute } from '../../domain/routes';
import { recordHistory } from '../support/recording';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const NETWORK = 'EthereumSepolia';
const ROUNDS_MAX = 200;

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal();
}, 120_000);
afterAll(() => environment?.teardown());

type Round = (number: number, untilTheEnd: Promise<void>) => Promise<void>;
type OfNetworks = { readonly workflow: string; readonly folder: string; readonly activity: string; readonly idPrefix: string };

/** Both workflows run as long as the service, one round after another. */
const OF_NETWORKS: readonly OfNetworks[] = [
  { workflow: 'networkFollower', folder: 'network-follower', activity: 'followNetwork', idPrefix: 'follower' },
  { workflow: 'networkScanner', folder: 'network-scanner', activity: 'scanNetwork', idPrefix: 'scanner' },
];

/** Runs the real workflow on its queues. The test supplies each round. */
async function follow<T>(of: OfNetworks, title: string, round: Round, story: (rounds: () => number) => Promise<T>): Promise<T> {
  let rounds = 0;
  let end = () => {};
  // A worker waits for its activities, so the end of the story also ends a round that still runs.
  const untilTheEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const runRound = async (asked: unknown) => {
    expect(asked).toEqual({ network: NETWORK });
    rounds += 1;
    await round(rounds, untilTheEnd);
  };
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: sharedRoute.main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({
    connection,
    taskQueue: chainQueueOf(NETWORK),
    activities: { [of.activity]: runRound },
  });
  const options = { workflowId: `${of.idPrefix}:${NETWORK}`, taskQueue: sharedRoute.main, args: [{ network: NETWORK }] };
  return workflows.runUntil(
    activities.runUntil(async () => {
      const handle = await environment.client.workflow.start(of.workflow, options);
      try {
        return await story(() => rounds);
      } finally {
        const last = environment.client.workflow.getHandle(handle.workflowId);
        await last.terminate();
        await recordHistory(of.folder, title, last);
        end();
      }
    }),
  );
}

const described = ({ idPrefix }: OfNetworks) => environment.client.workflow.getHandle(`${idPrefix}:${NETWORK}`).describe();

test.each(OF_NETWORKS)(
  '$workflow: one round follows another, and after two hundred rounds, a new run continues with a short history',
  async (of) => {
    await follow(
      of,
      'following',
      (number, untilTheEnd) => (number <= ROUNDS_MAX ? Promise.resolve() : untilTheEnd),
      async (rounds) => {
        const first = await described(of);
        await waitUntil('the first round of a second run', () => rounds() === ROUNDS_MAX + 1, 90_000);
        const second = await described(of);
        expect(second.status.name).toBe('RUNNING');
        expect(second.runId).not.toBe(first.runId);
        expect(second.historyLength).toBeLessThan(20);
      },
    );
  },
  120_000,
);

test.each(OF_NETWORKS)(
  '$workflow: a failed round is repeated, and the workflow continues',
  async (of) => {
    await follow(
      of,
      'round-failed',
      async (number, untilTheEnd) => {
        if (number === 1) throw new Error('the worker lost its node');
        if (number > 3) await untilTheEnd;
      },
      async (rounds) => {
        await waitUntil('the rounds after the failure', () => rounds() >= 4);
        expect((await described(of)).status.name).toBe('RUNNING');
      },
    );
  },
  120_000,
);
