import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { RotationActivities } from '../../activities/keys/rotations';
import { sharedRoute } from '../../domain/routes';
import { ROTATE_DEK, type RotateDekInput } from '../../workflows/rotate-dek.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

type Reseal = RotationActivities['resealKeys'];

/** Runs one rotation to its end; `title` names the recording. */
async function run(input: RotateDekInput, resealKeys: Reseal, title?: string, owners: string[][] = []) {
  const { main, signer } = sharedRoute;
  const connection = environment.nativeConnection;
  const renewed: { readonly orgId: string; readonly rotationId: string }[] = [];
  const known = {
    resealKeys,
    renewDataKey: async (order: { readonly orgId: string; readonly rotationId: string }) => void renewed.push(order),
    listKeyOwners: async () => owners.shift() ?? [],
  };
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: known });
  return workflows.runUntil(
    activities.runUntil(async () => {
      const options = { workflowId: randomUUID(), taskQueue: main, args: [input] };
      const handle = await environment.client.workflow.start(ROTATE_DEK, options);
      const result: unknown = await handle.result();
      if (title !== undefined) await recordHistory('rotate-dek', title, handle);
      const last = await environment.client.workflow.getHandle(options.workflowId).describe();
      return { result, last, renewed };
    }),
  );
}

const round = (looked: number, done: number, refused = 0) => ({ looked, done, refused });

test('an organisation gets its new data key before the first page, and the first pass that finds nothing to do is the last', async () => {
  const asked: unknown[] = [];
  const rounds = [{ ...round(100, 100), next: 'key-1' }, round(3, 3), round(0, 0)];
  const { result, renewed } = await run(
    { orgId: 'or-1' },
    async (page) => {
      asked.push(page);
      return rounds.shift() ?? round(0, 0);
    },
    'one-organization',
  );
  expect(renewed).toEqual([{ orgId: 'or-1', rotationId: expect.any(String) }]);
  expect(asked).toEqual([{ orgId: 'or-1' }, { orgId: 'or-1', after: 'key-1' }, { orgId: 'or-1' }]);
  expect(result).toEqual({ looked: 103, done: 103, refused: 0, passes: 2, organizations: 1 });
});

test('without a named organisation, every organisation that has keys is processed once', async () => {
  const { result, renewed } = await run({}, async () => round(0, 0), 'all-organizations', [['or-1', 'or-2'], ['or-3'], []]);
  expect(renewed.map(({ orgId }) => orgId)).toEqual(['or-1', 'or-2', 'or-3']);
  expect(new Set(renewed.map(({ rotationId }) => rotationId)).size).toBe(1);
  expect(result).toMatchObject({ organizations: 3 });
});

test('keys that do not open are counted once, however many rounds meet them', async () => {
  const rounds = [round(3, 2, 1), round(1, 0, 1), round(2, 2), round(0, 0)];
  const { result } = await run({}, async () => rounds.shift() ?? round(0, 0), 'does-not-open', [['or-1', 'or-2']]);
  expect(result).toEqual({ looked: 6, done: 4, refused: 1, passes: 4, organizations: 2 });
});

test('an unavailable signer delays a rotation and does not fail it', async () => {
  let calls = 0;
  const reseal: Reseal = async () => {
    calls += 1;
    if (calls < 20) throw new Error('the signer is away');
    return round(0, 0);
  };
  expect((await run({ orgId: 'or-1' }, reseal, 'signer-away')).result).toMatchObject({ passes: 1 });
});

test('after two hundred pages, a new run continues at the same key of the same rotation, with the sums so far', async () => {
  const reseal: Reseal = async ({ after }) => {
    const number = Number(after ?? 0) + 1;
    if (after === undefined && seen.has('a pass')) return round(0, 0);
    seen.add('a pass');
    return number === 250 ? round(1, 1) : { ...round(1, 1), next: String(number) };
  };
  const seen = new Set<string>();
  const { result, last, renewed } = await run({ orgId: 'or-1' }, reseal);
  expect(result).toEqual({ looked: 250, done: 250, refused: 0, passes: 2, organizations: 1 });
  expect(new Set(renewed.map(({ rotationId }) => rotationId)).size).toBe(1);
  expect(last.historyLength).toBeLessThan(800);
}, 60_000);
