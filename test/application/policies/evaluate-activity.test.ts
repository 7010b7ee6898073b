import { approvalStore } from '../../../entities/approvals/approval.store';
import { ApprovalApproverEntity } from '../../../entities/approvals/approval-approver.entity';
import { EventEntity } from '../../../entities/events/event.entity';
import { organizationStore } from '../../../entities/organizations/organization.store';
import { policyStore } from '../../../entities/policies/policy.store';
import { VerdictEntity } from '../../../entities/policies/verdict.entity';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { createActor } from '../../support/actor';
import type { TestDatabase } from '../../support/database';
import { holdTransfer, insertPolicy, insertWallet, judgeTransfer } from '../../support/held-activity';
import { eachInItsOrganization } from '../../support/own-organization';
import { askFor, BLOCK, NEVER } from '../../support/policies';

let database: TestDatabase;
let orgId: string;
let initiatorId: string;
let approverId: string;
let walletId: string;
eachInItsOrganization(async (...own) => {
  [database, orgId] = own;
  initiatorId = (await createActor(database.db, orgId)).caller.userId;
  approverId = (await createActor(database.db, orgId)).caller.userId;
  walletId = await insertWallet(database.db, orgId, ['cold']);
});

const anyone = { quorum: 1, approvers: {} };
const reader = () => database.db.read(orgId);
const policy = (content: Parameters<typeof insertPolicy>[2]) => insertPolicy(database.db, orgId, content);
const judge = (set = {}) => judgeTransfer(database.db, orgId, { walletId, initiatorId, ...set });
const hold = (set = {}) => holdTransfer(database.db, orgId, { walletId, initiatorId, ...set });
const events = (aggregateId: string) => reader().rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [aggregateId]);
const approvalOf = async (id: string) => {
  const row = await approvalStore.find(reader(), id);
  if (!row) throw new Error('no approval');
  return row;
};

test('without a policy in force, an activity is cleared, and the verdict records facts and envelope', async () => {
  const activityId = newId('transfer');
  const judged = await judge({ activityId });
  expect(judged).toMatchObject({ outcome: 'Cleared', policyEpoch: 1, approval: null, blockedReason: null });
  expect(await reader().rows(VerdictEntity, 'WHERE t.activity_id = $1', [activityId])).toMatchObject([
    {
      id: 'verdictId' in judged && judged.verdictId,
      outcome: 'Cleared',
      policyEpoch: 1,
      evaluations: [],
      facts: { walletId, walletTags: ['cold'], initiatorId, amountUsdMicro: '1000000', envelope: { feeCeilingUnits: '2' } },
    },
  ]);
  expect(await events(activityId)).toEqual([]);
});

test('a block ends an activity with a reason that names the policy, and emits an event', async () => {
  const activityId = newId('transfer');
  const policyId = await policy({ action: BLOCK, name: 'No way', filters: { walletTags: { hasAny: ['cold'] } } });
  expect(await judge({ activityId, activityVersion: 4 })).toMatchObject({
    outcome: 'Blocked',
    blockedReason: `Blocked by policy No way (${policyId})`,
    approval: null,
  });
  expect(await events(activityId)).toMatchObject([
    {
      kind: 'policy.triggered',
      aggregateVersion: 4,
      data: {
        policyEvaluation: {
          id: expect.stringMatching(/^plce-/),
          triggered: true,
          reason: expect.any(String),
          date: expect.stringMatching(/Z$/),
          policy: { id: policyId, name: 'No way', status: 'Active', action: BLOCK },
          activity: { kind: 'Wallets:Sign', transferRequest: { id: activityId } },
        },
      },
    },
  ]);
});

test('a policy demands a key store: only keys outside the store are blocked, and the reason names their store', async () => {
  const vault = await insertWallet(database.db, orgId, ['cold']);
  await database.db.withOrg(orgId, (tx) =>
    tx.query(
      `WITH added AS (INSERT INTO key_stores (org_id, id, kind, name, is_primary, state, n, digest)
         SELECT $1, store.*, false, 'Active', 1, '' FROM (VALUES ('vault', 'OfflineSigner', 'Vault')) AS store RETURNING id)
       UPDATE keys SET store_id = 'vault' WHERE org_id = $1 AND id = (SELECT key_id FROM wallets WHERE id = $2) RETURNING id`,
      [orgId, vault],
    ),
  );
  await policy({ action: BLOCK, filters: { storeId: { notIn: ['vault'] } } });
  const activityId = newId('transfer');
  expect(await judge({ walletId: vault })).toMatchObject({ outcome: 'Cleared' });
  expect(await judge({ activityId })).toMatchObject({ outcome: 'Blocked' });
  const [verdict] = await reader().rows(VerdictEntity, 'WHERE t.activity_id = $1', [activityId]);
  expect(verdict).toMatchObject({
    facts: { storeId: 'software' },
    evaluations: [{ reason: expect.stringMatching(/; the key is in the key store software$/) }],
  });
});

test('a policy on key stores judges the fee by the key store of the sponsor', async () => {
  const sponsor = { walletId: await insertWallet(database.db, orgId), amountUsdMicro: '1' };
  const other = await policy({ action: BLOCK, filters: { storeId: { in: ['other'] } } });
  expect(other).toBeDefined();
  expect(await judge({ sponsor })).toMatchObject({ outcome: 'Cleared' });
  await policy({ action: BLOCK, filters: { storeId: { in: ['software'] }, walletId: { in: [sponsor.walletId] } } });
  expect(await judge({ sponsor })).toMatchObject({ outcome: 'Blocked' });
});

test('the reason names the policy with the lowest id of several that block, whatever the order of their creation', async () => {
  const [first] = [await policy({ action: BLOCK, name: 'First' }), await policy({ action: BLOCK, name: 'Second' })].sort();
  expect(await judge()).toMatchObject({ outcome: 'Blocked', blockedReason: `Blocked by policy First (${first})` });
});

test('a policy in Shadow mode stops nothing and emits no event; its result is recorded in the verdict', async () => {
  const activityId = newId('transfer');
  const shadowing = await policy({ action: BLOCK, mode: 'Shadow' });
  const asking = await policy({ action: askFor([anyone]), mode: 'Shadow', rule: NEVER });
  expect(await judge({ activityId })).toMatchObject({ outcome: 'Cleared', approval: null, blockedReason: null });
  const [verdict] = await reader().rows(VerdictEntity, 'WHERE t.activity_id = $1', [activityId]);
  expect(verdict).toMatchObject({
    outcome: 'Cleared',
    evaluations: [],
    shadows: [
      { policyId: shadowing, policyVersion: 1, triggered: true },
      { policyId: asking, policyVersion: 1, triggered: false },
    ],
  });
  expect(await events(activityId)).toEqual([]);
});

test('a held activity gets one approval with the groups of every triggered policy, and one event for each policy', async () => {
  const first = await policy({ action: askFor([{ name: 'Finance', ...anyone }], 90) });
  const second = await policy({ action: askFor([{ quorum: 1, approvers: { userId: { in: [approverId] } } }], 30) });
  const quiet = await policy({ rule: NEVER, action: BLOCK });
  const activityId = newId('transfer');
  const held = await hold({ activityId });
  expect(held).toMatchObject({
    rejectsItselfAfterMs: 1_800_000,
    groups: [
      { name: 'Finance', quorum: 1, have: 0 },
      { name: null, quorum: 1, have: 0 },
    ],
  });
  const approval = await approvalOf(held.approvalId);
  expect(approval).toMatchObject({
    status: 'Pending',
    version: 1,
    activityId,
    initiatorId,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    activity: { kind: 'Wallets:Sign', transferRequest: { id: activityId, approvalId: held.approvalId } },
    evaluations: [
      { policyId: first, triggered: true },
      { policyId: second, triggered: true },
      { policyId: quiet, triggered: false },
    ],
  });
  expect(approval.dateExpires?.toISOString()).toBe(held.dateExpires);
  expect(approval.dateExpires?.getTime()).toBeCloseTo(approval.dateCreated.getTime() + 1_800_000, -4);
  expect(
    await reader().rows(ApprovalApproverEntity, 'WHERE t.approval_id = $1 ORDER BY t.group_index, t.user_id', [approval.id]),
  ).toMatchObject([
    { groupIndex: 0, userId: initiatorId, mayApprove: false },
    { groupIndex: 0, userId: approverId, mayApprove: true },
    { groupIndex: 1, userId: approverId, mayApprove: true },
  ]);
  expect((await events(activityId)).map(({ kind }) => kind)).toEqual(['policy.triggered', 'policy.triggered']);
  expect(await events(approval.id)).toMatchObject([
    {
      kind: 'policy.approval.pending',
      aggregateVersion: 1,
      data: { approval: { id: approval.id, status: 'Pending', decisions: [] } },
    },
  ]);
});

test('a group that admits anyone contains only active, registered people of the organisation', async () => {
  await policy({ action: askFor([anyone]) });
  await createActor(database.db, orgId, 'EndUser');
  await createActor(database.db, orgId, 'ServiceAccount');
  const [left, invited] = await Promise.all([createActor(database.db, orgId), createActor(database.db, orgId)]);
  await createActor(database.db, await database.createOrganization());
  await database.db.withOrg(orgId, async (tx) => {
    await tx.update(UserEntity, { id: left.caller.userId }, { isActive: false });
    await tx.update(UserEntity, { id: invited.caller.userId }, { isRegistered: false });
  });
  const { groups } = await approvalOf((await hold()).approvalId);
  expect(groups).toMatchObject([{ voterIds: [approverId], denierIds: [initiatorId] }]);
});

test('the digest covers intent, fee ceiling, policy version and voters', async () => {
  const activityId = newId('transfer');
  const policyId = await policy({ action: askFor([anyone]) });
  const digest = async (set = {}) => (await approvalOf((await hold({ activityId, ...set })).approvalId)).digest;
  const before = await digest();
  expect(await digest()).toBe(before);
  expect(await digest({ envelope: { to: '0x0', amountUnits: '1', feeCeilingUnits: '2' } })).not.toBe(before);
  expect(await digest({ activityId: newId('transfer') })).not.toBe(before);
  await database.db.withOrg(orgId, async (tx) => {
    await policyStore.change(tx, policyId, { status: 'Active', version: 2 });
    await organizationStore.bumpPolicyEpoch(tx);
  });
  const changed = await digest();
  expect(changed).not.toBe(before);
  await createActor(database.db, orgId);
  expect(await digest()).not.toBe(changed);
});

test('policies do not judge an end user who uses their own wallet, and judge any other user of this wallet', async () => {
  await policy({ action: BLOCK });
  const owner = (await createActor(database.db, orgId, 'EndUser')).caller.userId;
  const owned = await insertWallet(database.db, orgId, [], owner);
  expect((await judge({ walletId: owned, initiatorId: owner })).outcome).toBe('Cleared');
  expect((await judge({ walletId: owned })).outcome).toBe('Blocked');
});

describe('at release', () => {
  const approve = (id: string) => database.db.withOrg(orgId, (tx) => approvalStore.advance(tx, id, 'Approved'));

  test('an activity that people approved is cleared without a second request or event', async () => {
    await policy({ action: askFor([anyone]) });
    const activityId = newId('transfer');
    const { approvalId } = await hold({ activityId });
    await approve(approvalId);
    expect(await judge({ activityId, priorApprovalId: approvalId })).toMatchObject({ outcome: 'Cleared', approval: null });
    expect(await events(activityId)).toHaveLength(1);
  });

  test('a policy created after the approval requires a new approval, and emits the only new event', async () => {
    await policy({ action: askFor([anyone]) });
    const activityId = newId('transfer');
    const { approvalId } = await hold({ activityId });
    await approve(approvalId);
    const later = await policy({ action: askFor([{ quorum: 1, approvers: { userId: { in: [approverId] } } }]) });
    const judged = await judge({ activityId, priorApprovalId: approvalId });
    expect(judged.outcome).toBe('Held');
    expect(judged.policyEpoch).toBe(3);
    const told = await events(activityId);
    expect(told).toHaveLength(2);
    expect(told[1]?.data).toMatchObject({ policyEvaluation: { policy: { id: later } } });
  });

  test('a Block created after the approval ends the activity', async () => {
    await policy({ action: askFor([anyone]) });
    const activityId = newId('transfer');
    const { approvalId } = await hold({ activityId });
    await approve(approvalId);
    await policy({ action: BLOCK });
    expect((await judge({ activityId, priorApprovalId: approvalId })).outcome).toBe('Blocked');
  });

  test('an approval that is still open, or that belongs to another activity, does not clear the activity', async () => {
    await policy({ action: askFor([anyone]) });
    const activityId = newId('transfer');
    const { approvalId } = await hold({ activityId });
    expect((await judge({ activityId, priorApprovalId: approvalId })).outcome).toBe('Held');
    await approve(approvalId);
    expect((await judge({ priorApprovalId: approvalId })).outcome).toBe('Held');
  });
});
