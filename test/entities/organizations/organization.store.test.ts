import { organizationStore, type PolicyStand } from '../../../entities/organizations/organization.store';
import type { TestDatabase } from '../../support/database';
import { insertPolicy, insertWallet } from '../../support/held-activity';
import { eachInItsOrganization } from '../../support/own-organization';
import { BLOCK } from '../../support/policies';

let database: TestDatabase;
let orgId: string;
eachInItsOrganization((...own) => {
  [database, orgId] = own;
});

const stand = (of = orgId): Promise<PolicyStand> => database.db.withOrg(of, (tx) => organizationStore.policyStand(tx));

test('the epoch of the policies rises by one with each committed change of policies', async () => {
  const before = await stand();
  await insertPolicy(database.db, orgId, { action: BLOCK });
  const after = await stand();
  expect(after.policyEpoch).toBe(before.policyEpoch + 1);
  expect(after.writtenBy).not.toBe(before.writtenBy);
  await insertPolicy(database.db, orgId, { action: BLOCK });
  expect((await stand()).policyEpoch).toBe(before.policyEpoch + 2);
});

test('the epoch stays the same after other writes, after a change that is rolled back, and after changes of another organisation', async () => {
  const before = await stand();
  await insertWallet(database.db, orgId);
  const undone = database.db.withOrg(orgId, async (tx) => {
    await organizationStore.bumpPolicyEpoch(tx);
    expect((await organizationStore.policyStand(tx)).policyEpoch).toBe(before.policyEpoch + 1);
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  await insertPolicy(database.db, await database.createOrganization(), { action: BLOCK });
  expect(await stand()).toEqual(before);
});
