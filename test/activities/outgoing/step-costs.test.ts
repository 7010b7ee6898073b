import { createActor } from '../../support/actor';
import { countedDatabase } from '../../support/counted-database';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { askFor } from '../../support/policies';
import { createTransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** How many questions each step of a transfer puts to the database that so many people have approved. */
async function asked(approvers: number) {
  const orgId = await database.createOrganization();
  const counted = countedDatabase(database.db);
  const steps = await createTransferSteps(counted.db, orgId);
  await insertPolicy(database.db, orgId, { action: askFor([{ name: 'All', quorum: approvers, approvers: {} }]) });
  const voters = await Promise.all(Array.from({ length: approvers }, () => createActor(database.db, orgId)));
  const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
  const judged = await steps.evaluate(id);
  if (judged.outcome !== 'Held') throw new Error(`the transfer is ${judged.outcome}`);
  for (const voter of voters) await vote(database.db, voter, judged.approvalId, 'Approved');
  const count = async (step: (transferId: string) => Promise<unknown>, answer: unknown): Promise<number> => {
    counted.asked.length = 0;
    expect(await step(id)).toEqual(answer);
    return counted.asked.length;
  };
  return {
    release: await count(steps.evaluate, { outcome: 'Cleared' }),
    claim: await count(steps.prepare, 'Ready'),
    signing: await count(steps.signTransfer, 'Signed'),
  };
}

test('the votes of three approvers are verified with as many questions as that of one, at every step', async () => {
  const alone = await asked(1);
  expect(await asked(3)).toEqual(alone);
  const budget = { release: 32, claim: 23, signing: 22 };
  for (const step of ['release', 'claim', 'signing'] as const) expect(alone[step]).toBeLessThanOrEqual(budget[step]);
});
