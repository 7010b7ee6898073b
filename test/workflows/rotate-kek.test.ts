import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { RotationActivities } from '../../activities/keys/rotations';
import { sharedRoute } from '../../domain/routes';
import { ROTATE_KEK, rotationProgress } from '../../workflows/rotate-kek.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type Fakes = Pick<RotationActivities, 'rewrapDataKeys'> & Partial<RotationActivities>;

/** Runs one rotation to its end; `title` names the recording. */
async function run(fakes: Fakes, title?: string) {
  const { main, signer } = sharedRoute;
  const connection = environment.nativeConnection;
  const known = { readActiveKek: async () => 'kek-new', rewrapSignerJournal: async () => 0, ...fakes };
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: known });
  return workflows.runUntil(
    activities.runUntil(async () => {
      const options = { workflowId: randomUUID(), taskQueue: main, args: [{}] };
      const handle = await environment.client.workflow.start(ROTATE_KEK, options);
      const result: unknown = await handle.result();
      if (title !== undefined) await recordHistory('rotate-kek', title, handle);
      const last = await environment.client.workflow.getHandle(options.workflowId).describe();
      return { result, last, progress: await handle.query(rotationProgress) };
    }),
  );
}

const round = (looked: number, done: number, refused = 0) => ({ looked, done, refused });

test('every page is rewrapped under one key, and the first pass that finds nothing to do is the last', async () => {
  const asked: unknown[] = [];
  const rounds = [{ ...round(100, 100), next: 'or-1/dk-1' }, round(3, 3), round(0, 0)];
  const { result, progress } = await run(
    {
      rewrapDataKeys: async (page) => {
        asked.push(page);
        return rounds.shift() ?? round(0, 0);
      },
    },
    'two-pages',
  );
  expect(asked).toEqual([{ kekId: 'kek-new' }, { kekId: 'kek-new', after: 'or-1/dk-1' }, { kekId: 'kek-new' }]);
  expect(result).toEqual({ kekId: 'kek-new', looked: 103, done: 103, refused: 0, passes: 2 });
  expect(progress).toEqual({ looked: 103, done: 103, refused: 0, passes: 2 });
});

test('rows that do not open are counted in the result and do not stop other rows', async () => {
  const rounds = [round(3, 2, 1)];
  const { result } = await run({ rewrapDataKeys: async () => rounds.shift() ?? round(1, 0, 1) }, 'does-not-open');
  expect(result).toMatchObject({ done: 2, refused: 1, passes: 2 });
});

test('the rotation ends only after the signer’s journal is rewrapped', async () => {
  const left = [7, 0];
  const { result } = await run(
    { rewrapDataKeys: async () => round(0, 0), rewrapSignerJournal: async () => left.shift() ?? 0 },
    'long-journal',
  );
  expect(result).toMatchObject({ passes: 2 });
  expect(left).toEqual([]);
});

test('an unavailable signer delays a rotation and does not fail it', async () => {
  let calls = 0;
  const rewrapDataKeys = async () => {
    calls += 1;
    if (calls < 20) throw new Error('the signer is away');
    return round(0, 0);
  };
  expect((await run({ rewrapDataKeys }, 'signer-away')).result).toMatchObject({ passes: 1 });
});

test('after a hundred pages, a new run continues at the same row, with the sums so far and a short history', async () => {
  const { result, last } = await run({
    rewrapDataKeys: async ({ kekId, after }) => {
      expect(kekId).toBe('kek-new');
      const number = Number(after ?? 0) + 1;
      if (number === 150) return round(1, 1);
      return after === undefined && first.shift() === undefined ? round(0, 0) : { ...round(1, 1), next: String(number) };
    },
  });
  expect(result).toMatchObject({ looked: 150, done: 150, passes: 2 });
  expect(last.historyLength).toBeLessThan(400);
}, 60_000);
const first = ['the first pass'];
