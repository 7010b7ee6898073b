import { endUnasked, expireApproval, reviewApproval } from '../../../application/approvals/ends';
import type { Action } from '../../../domain/policies';
import { approvalStore } from '../../../entities/approvals/approval.store';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { policyStore } from '../../../entities/policies/policy.store';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { holdTransfer, insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor, BLOCK } from '../../support/policies';
import { vote } from '../../support/votes';

const UNASKED = 'The approval groups were removed from their policy while the approval was pending';

let database: TestDatabase;
let orgId: string;
let policyId: string;
let activityId: string;
let [initiator, voter, other]: Actor[] = [];
beforeAll(async () => {
  database = await createTestDatabase(12);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  [initiator, voter, other] = await Promise.all([1, 2, 3].map(() => createActor(database.db, orgId)));
});

const hold = async (quorum = 1): Promise<string> => {
  activityId = newId('transfer');
  policyId = await insertPolicy(database.db, orgId, { action: askFor([{ name: 'Finance', quorum, approvers: {} }]) });
  const walletId = await insertWallet(database.db, orgId);
  const initiatorId = initiator?.caller.userId ?? '';
  return (await holdTransfer(database.db, orgId, { activityId, walletId, initiatorId })).approvalId;
};
const change = (set: { readonly status?: 'Active' | 'Archived'; readonly action?: Action }) =>
  database.db.withOrg(orgId, (tx) => policyStore.change(tx, policyId, { status: 'Active', version: 2, ...set }));
const review = (approvalId: string) => database.db.withOrg(orgId, (tx) => reviewApproval(tx, approvalId));
const find = (approvalId: string) => approvalStore.find(database.db.read(orgId), approvalId);
const votes = (approvalId: string) => approvalStore.votes(database.db.read(orgId), [approvalId]);

describe('an approval with groups that were removed from their policy', () => {
  test.each<[string, Parameters<typeof change>[0]]>([
    ['was archived', { status: 'Archived' }],
    ['now blocks', { action: BLOCK }],
    ['now asks a different group', { action: askFor([{ name: 'Security', quorum: 1, approvers: {} }]) }],
  ])('is denied at its next review if the policy %s', async (_what, set) => {
    const approvalId = await hold();
    await change(set);
    expect(await review(approvalId)).toMatchObject({ status: 'Denied', reason: UNASKED });
    expect(await review(approvalId)).toMatchObject({ status: 'Denied', reason: UNASKED });
  });

  test('accepts a later decision without an error, and stores no vote', async () => {
    const approvalId = await hold();
    await change({ status: 'Archived' });
    await vote(database.db, voter as Actor, approvalId, 'Approved');
    expect(await find(approvalId)).toMatchObject({ status: 'Denied', version: 2 });
    expect(await votes(approvalId)).toEqual([]);
  });

  test('is ended by the change of the policy, and the held activity is woken', async () => {
    const approvalId = await hold();
    await change({ status: 'Archived' });
    for (let i = 0; i < 2; i += 1) await database.db.withOrg(orgId, (tx) => endUnasked(tx, policyId));
    expect(await find(approvalId)).toMatchObject({ status: 'Denied' });
    const reader = database.db.read(orgId);
    const woken = await reader.rows(OutboxRowEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'signal'`, [activityId]);
    expect(woken).toMatchObject([{ dedupeKey: `approvalChanged:${approvalId}:2` }]);
  });

  test('stays pending if only the approvers of its group have changed, and keeps its status if it has ended', async () => {
    const approvalId = await hold();
    await change({ action: askFor([{ name: 'Finance', quorum: 2, approvers: { userId: { in: ['us-x'] } } }]) });
    await database.db.withOrg(orgId, (tx) => endUnasked(tx, policyId));
    expect(await review(approvalId)).toMatchObject({ status: 'Pending', reason: null });
    await vote(database.db, voter as Actor, approvalId, 'Approved');
    await change({ status: 'Archived' });
    await database.db.withOrg(orgId, (tx) => endUnasked(tx, policyId));
    expect(await review(approvalId)).toMatchObject({ status: 'Approved', reason: null });
  });

  test('has exactly one outcome if a vote comes at the same time as the removal', async () => {
    for (let round = 0; round < 8; round += 1) {
      const approvalId = await hold();
      const archive = database.db.withOrg(orgId, async (tx) => {
        await policyStore.lock(tx, policyId);
        await policyStore.change(tx, policyId, { status: 'Archived', version: 2 });
        await endUnasked(tx, policyId);
      });
      await Promise.allSettled([vote(database.db, voter as Actor, approvalId, 'Approved'), archive]);
      const { status } = await review(approvalId);
      expect(await votes(approvalId)).toHaveLength(status === 'Approved' ? 1 : 0);
    }
  });
});

test('a deactivated user keeps a vote already cast, and cannot vote until activated again', async () => {
  const approvalId = await hold(2);
  await vote(database.db, voter as Actor, approvalId, 'Approved');
  await database.db.withOrg(orgId, async (tx) => {
    await tx.update(UserEntity, { id: voter?.caller.userId ?? '' }, { isActive: false });
    await tx.update(UserEntity, { id: other?.caller.userId ?? '' }, { isActive: false });
  });
  await expect(vote(database.db, other as Actor, approvalId, 'Approved')).rejects.toMatchObject({ code: 'Forbidden' });
  expect(await review(approvalId)).toMatchObject({ status: 'Pending', groups: [{ have: 1 }] });
  await database.db.withOrg(orgId, (tx) => tx.update(UserEntity, { id: other?.caller.userId ?? '' }, { isActive: true }));
  await vote(database.db, other as Actor, approvalId, 'Approved');
  expect(await review(approvalId)).toMatchObject({ status: 'Approved' });
});

test('each outcome has its reason, and a pending approval has none', async () => {
  expect(await review(await hold())).toMatchObject({ status: 'Pending', reason: null });
  const denied = await hold();
  await vote(database.db, voter as Actor, denied, 'Denied');
  expect(await review(denied)).toMatchObject({ reason: 'Denied by an approver' });
  const expired = await hold();
  await database.db.withOrg(orgId, (tx) => expireApproval(tx, expired));
  expect(await review(expired)).toMatchObject({ status: 'Expired', reason: 'The approval expired' });
});
