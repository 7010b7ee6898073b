import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { BackfillRef, BackfillRound } from '../../domain/backfills';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { SCAN_ADDRESS, type ScanAddressInput } from '../../workflows/scan-address.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const ORG_ID = 'or-1';
const NETWORK = 'EthereumSepolia';
const ROUNDS_MAX = 200;

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type Round = (number: number) => BackfillRound;

async function play(round: Round, title?: string) {
  const { main, chain } = routeOf(ORG_ID);
  const connection = environment.nativeConnection;
  const asked: BackfillRef[] = [];
  const backfillAddress = async (ref: BackfillRef) => {
    asked.push(ref);
    return round(asked.length);
  };
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: chain(NETWORK), activities: { backfillAddress } });
  const workflowId = newId('backfill');
  const input: ScanAddressInput = { orgId: ORG_ID, id: workflowId, routing: { network: NETWORK } };
  const began = await environment.currentTimeMs();
  const result: unknown = await workflows.runUntil(
    activities.runUntil(environment.client.workflow.execute(SCAN_ADDRESS, { workflowId, taskQueue: main, args: [input] })),
  );
  const handle = environment.client.workflow.getHandle(workflowId);
  if (title !== undefined) await recordHistory('scan-address', title, handle);
  return { result, asked, passedMs: (await environment.currentTimeMs()) - began, last: await handle.describe() };
}

const more = (pauseMs = 0): BackfillRound => ({ isOver: false, pauseMs });
const over: BackfillRound = { isOver: true, pauseMs: 0 };

test('one round follows another until the back-fill is over, after the pause that a round asks for', async () => {
  const { result, asked, passedMs } = await play((number) => [more(), more(3_600_000), over][number - 1] ?? over, 'ended');
  expect(result).toBe('Ended');
  expect(asked).toHaveLength(3);
  expect(asked[0]).toEqual({ orgId: ORG_ID, id: expect.stringMatching(/^bf-/), network: NETWORK });
  expect(passedMs).toBeGreaterThanOrEqual(3_600_000);
}, 60_000);

test('a failed round is repeated', async () => {
  const { result, asked } = await play((number) => {
    if (number < 8) throw new Error('the database is away');
    return over;
  }, 'round-failed');
  expect(result).toBe('Ended');
  expect(asked).toHaveLength(8);
}, 60_000);

test('after two hundred rounds, a new run continues with a short history', async () => {
  const { result, asked, last } = await play((number) => (number <= ROUNDS_MAX ? more() : over));
  expect(result).toBe('Ended');
  expect(asked).toHaveLength(ROUNDS_MAX + 1);
  expect(asked.at(-1)).toEqual(asked[0]);
  expect(last.historyLength).toBeLessThan(20);
}, 120_000);
