import { policiesInForce } from '../../../application/policies/policies-in-force';
import type { Tx } from '../../../entities/database';
import { organizationStore } from '../../../entities/organizations/organization.store';
import { policyStore } from '../../../entities/policies/policy.store';
import type { TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { eachInItsOrganization } from '../../support/own-organization';
import { ALWAYS, BLOCK } from '../../support/policies';

let database: TestDatabase;
let orgId: string;
eachInItsOrganization((...own) => {
  [database, orgId] = own;
});

const policy = (name: string) => insertPolicy(database.db, orgId, { name, action: BLOCK });
const inForce = () => database.db.withOrg(orgId, (tx) => policiesInForce(tx, 'Wallets:Sign'));
const names = async () => (await inForce()).policies.map(({ name }) => name).sort();

test('policies are read once for each epoch, and a change is in force at once', async () => {
  await policy('one');
  const first = await inForce();
  expect(await inForce()).toBe(first);
  await policy('two');
  expect(await names()).toEqual(['one', 'two']);
  expect((await inForce()).policyEpoch).toBe(first.policyEpoch + 1);
  expect((await database.db.withOrg(orgId, (tx) => policiesInForce(tx, 'Policies:Modify'))).policies).toEqual([]);
});

test('what a transaction saw that was rolled back is in force for nobody, though the next change takes its epoch', async () => {
  await policy('one');
  await names();
  const undone = database.db.withOrg(orgId, async (tx: Tx) => {
    await policyStore.create(tx, { name: 'undone', activityKind: 'Wallets:Sign', rule: ALWAYS, action: BLOCK, filters: null });
    await organizationStore.bumpPolicyEpoch(tx);
    expect((await policiesInForce(tx, 'Wallets:Sign')).policies).toHaveLength(2);
    throw new Error('rolled back');
  });
  await expect(undone).rejects.toThrow('rolled back');
  expect(await names()).toEqual(['one']);
  await policy('two');
  expect(await names()).toEqual(['one', 'two']);
});

test('organisations do not share', async () => {
  await policy('one');
  await names();
  const other = await database.createOrganization();
  expect((await database.db.withOrg(other, (tx) => policiesInForce(tx, 'Wallets:Sign'))).policies).toEqual([]);
});
