import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { KeyActivities } from '../../activities/keys/keys';
import { createDispatcher } from '../../application/dispatch/dispatcher';
import { routeOf } from '../../domain/routes';
import { newId } from '../../platform/ids';
import { LIST_SIGNERS } from '../../workflows/list-signers.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const ORG_ID = 'or-1';
const ask = async (limitMs: number, title: string) => {
  const id = newId('keyRequest');
  try {
    return await createDispatcher(environment.client).execute(ORG_ID, { workflow: LIST_SIGNERS, id, routing: {}, limitMs });
  } finally {
    await recordHistory('list-signers', title, environment.client.workflow.getHandle(id));
  }
};

async function withWorker<T>(readSigner: KeyActivities['readSigner'], work: () => Promise<T>): Promise<T> {
  const { main, signer } = routeOf(ORG_ID);
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE });
  const activities = await Worker.create({ connection, taskQueue: signer, activities: { readSigner } });
  return workflows.runUntil(activities.runUntil(work()));
}

test('the signer returns its identity', async () => {
  const facts = { signerId: 'sgn-1', encryptionKey: 'AA==' };
  expect(
    await withWorker(
      async () => facts,
      () => ask(10_000, 'answered'),
    ),
  ).toEqual(facts);
});

test('an unavailable signer is reported to the caller within the time limit', async () => {
  const away = async () => {
    throw new Error('the signer cannot be reached');
  };
  await expect(withWorker(away, () => ask(3_000, 'signer-away'))).rejects.toMatchObject({ code: 'NotReady' });
});
