import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { LANE, type LaneLook, type LaneMemory } from '../../domain/lanes';
import { chainQueueOf, sharedRoute } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { recordHistory } from '../support/recording';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const NETWORK = 'EthereumSepolia';
const ADDRESS = '0x1111111111111111111111111111111111111111';
const LOOKS_MAX = 50;

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  const logging = { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
  const path = process.env['TEMPORAL_TEST_SERVER_PATH'];
  const server = path ? { server: { executable: { type: 'existing-path' as const, path } } } : {};
  environment = await TestWorkflowEnvironment.createTimeSkipping(server);
}, 120_000);
afterAll(() => environment?.teardown());

type Asked = { readonly orgId: string; readonly network: string; readonly address: string; readonly memory?: LaneMemory };

const memory: LaneMemory = { found: 'Head:pl-1', height: 7, count: 2 };
const watched = (more: Partial<Extract<LaneLook, { kind: 'Watched' }>> = {}): LaneLook => ({
  kind: 'Watched',
  memory,
  trouble: null,
  acted: false,
  ...more,
});

/**
 * Runs lane care, the regular check of a sender's queue, until a check finds the lane healthy. Returns the calls, and their
 * duration by the clock of the workflow.
 */
async function care(title: string | undefined, look: (number: number, asked: Asked) => LaneLook) {
  const asked: Asked[] = [];
  const careForLane = async (one: Asked) => {
    asked.push(one);
    return look(asked.length, one);
  };
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: sharedRoute.main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: chainQueueOf(NETWORK), activities: { careForLane } });
  const [orgId, workflowId] = [newId('organization'), newId('event')];
  const args = [{ orgId, id: workflowId, routing: { network: NETWORK, address: ADDRESS } }];
  return workflows.runUntil(
    activities.runUntil(async () => {
      const handle = await environment.client.workflow.start(LANE, { workflowId, taskQueue: sharedRoute.main, args });
      expect(await handle.result()).toBe('Healthy');
      if (title !== undefined) await recordHistory('lane', title, handle);
      const { startTime, closeTime, historyLength } = await environment.client.workflow.getHandle(workflowId).describe();
      const tookMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
      return { asked, tookMs, historyLength, orgId };
    }),
  );
}

test('lane care ends after one check of a healthy lane', async () => {
  const { asked, orgId } = await care('healthy', () => ({ kind: 'Healthy' }));
  expect(asked).toEqual([{ orgId, network: NETWORK, address: ADDRESS }]);
});

test('a lane in trouble is checked again soon after an action, each time with the memory of the last check', async () => {
  const looks: readonly LaneLook[] = [
    watched(),
    watched({ trouble: 'NonceMissing', acted: true }),
    watched({ trouble: 'Underpriced' }),
    { kind: 'Healthy' },
  ];
  const { asked, tookMs } = await care('mended', (number) => looks[number - 1] ?? { kind: 'Healthy' });
  expect(asked.map((one) => one.memory)).toEqual([undefined, memory, memory, memory]);
  expect(tookMs).toBeGreaterThanOrEqual(20_000);
  expect(tookMs).toBeLessThan(30_000);
});

test('lane care waits for a node that is down, and continues where it stopped', async () => {
  const { asked } = await care('node-down', (number) => {
    if (number === 2) throw new Error('no node answers');
    return number < 4 ? watched() : { kind: 'Healthy' };
  });
  expect(asked.map((one) => one.memory)).toEqual([undefined, memory, memory, memory]);
});

test('a lane that is blocked for long is cared for in a new run, with the memory of the earlier run', async () => {
  const { asked, historyLength } = await care(undefined, (number) =>
    number <= LOOKS_MAX ? watched({ trouble: 'FeesAboveCeiling' }) : { kind: 'Healthy' },
  );
  expect(asked).toHaveLength(LOOKS_MAX + 1);
  expect(asked.at(-1)?.memory).toEqual(memory);
  expect(historyLength).toBeLessThan(20);
});
