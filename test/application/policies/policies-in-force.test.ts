import { policiesInForce } from '../../../application/policies/policies-in-force';
import type { ActivityKind } from '../../../domain/policies';
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
const read = async (tx: Tx, kind: ActivityKind = 'Wallets:Sign') =>
  policiesInForce(tx, kind, await organizationStore.policyStand(tx));
const inForce = () => database.db.withOrg(orgId, (tx) => read(tx));
const names = async () => (await inForce()).map(({ name }) => name).sort();

test('policies are read once for each epoch, and a change is in force at once', async () => {
  await policy('one');
  const first = await inForce();
  expect(await inForce()).toBe(first);
  await policy('two');
  expect(await names()).toEqual(['one', 'two']);
  expect(await database.db.withOrg(orgId, (tx) => read(tx, 'Policies:Modify'))).toEqual([]);
});

test('policies of a rolled-back transaction never come into force, although the next change gets the same epoch', async () => {
  await policy('one');
  await names();
  const undone = database.db.withOrg(orgId, async (tx: Tx) => {
    await policyStore.create(tx, { name: 'undone', activityKind: 'Wallets:Sign', rule: ALWAYS, action: BLOCK, filters: null });
    await organizationStore.bumpPolicyEpoch(tx);
    expect(await read(tx)).toHaveLength(2);
    throw new Error('rolled back');
  });
  await expect(undone).rejects.toThrow('rolled back');
  expect(await names()).toEqual(['one']);
  await policy('two');
  expect(await names()).toEqual(['one', 'two']);
});

test('organisations do not share cached policies', async () => {
  await policy('one');
  await names();
  const other = await database.createOrganization();
  expect(await database.db.withOrg(other, (tx) => read(tx))).toEqual([]);
});
