import { createChangeRequestActivities } from '../../../activities/change-requests/change-requests';
import type { ChangeStatus } from '../../../domain/change-requests';
import { AccessTokenEntity } from '../../../entities/access-tokens/access-token.entity';
import { EventEntity } from '../../../entities/events/event.entity';
import { PermissionEntity } from '../../../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../../../entities/permissions/permission-assignment.entity';
import type { Person } from '../../support/api';
import { type PermissionApi, startPermissionApi, type Waiting } from '../../support/permission-api';
import { RELEASING } from '../../support/releasing';
import { asSuperuser } from '../../support/roles';

let parts: PermissionApi;
let permissionId: string;
let policyId: string;
let steps: ReturnType<typeof createChangeRequestActivities>;
beforeAll(async () => {
  parts = await startPermissionApi();
  steps = createChangeRequestActivities({ db: parts.db, ...RELEASING });
});
afterAll(() => parts?.close());
beforeEach(async () => {
  permissionId = await parts.permission(['Permissions:Read']);
  policyId = await hold();
});

const about = () => ({ filters: { permissionId: { in: [permissionId] } } });
const hold = (set = {}) => parts.hold('Permissions:Modify', { ...about(), ...set });
const ask = async (body: unknown): Promise<Waiting> =>
  parts.body<Waiting>(await parts.admin.client.change('PUT', `/permissions/${permissionId}`, body), 202);
const permission = () => parts.db.read(parts.orgId).row(PermissionEntity, 'WHERE t.id = $1', [permissionId]);
const ref = ({ id }: Waiting) => ({ orgId: parts.orgId, changeRequestId: id });
const approved = async (body: unknown = { operations: ['Policies:Read'] }): Promise<Waiting> => {
  const change = await ask(body);
  await parts.decide(change.approvalId, 'Approved');
  return change;
};
/** Writes to the database without the service, as an attacker could. */
const forge = (sql: string, values: readonly unknown[]) =>
  asSuperuser((client) => client.query(sql, [...values]), parts.api.database.name);

test('a review of a pending change returns the approval, its groups and the time of the next notice, and changes nothing', async () => {
  const change = await ask({ name: `Asked ${permissionId}` });
  const groups = [{ groupId: expect.any(String), name: null, quorum: 1, have: 0 }];
  expect(await steps.reviewChangeRequest(ref(change))).toEqual({
    outcome: 'Held',
    approvalId: change.approvalId,
    groups,
    nextNoticeInMs: 0,
  });
  expect(await parts.row(change.id)).toMatchObject({ status: 'Pending', version: 1 });
});

test('a review returns the time that is left, and the change is rejected when that time is over', async () => {
  await parts.drop(policyId);
  const action = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }], autoRejectTimeout: 60 };
  await hold({ action });
  const change = await ask({ name: 'Too late' });
  const { rejectsItselfAfterMs } = (await steps.reviewChangeRequest(ref(change))) as { rejectsItselfAfterMs: number };
  expect(rejectsItselfAfterMs).toBeGreaterThan(0);
  expect(rejectsItselfAfterMs).toBeLessThanOrEqual(3_600_000);
  const ended = { outcome: 'Ended', status: 'Rejected' };
  expect(await steps.expireChangeRequest(ref(change), change.approvalId)).toEqual(ended);
  expect(await steps.expireChangeRequest(ref(change), change.approvalId)).toEqual(ended);
  expect(await parts.row(change.id)).toMatchObject({ status: 'Rejected', reason: 'The approval expired', version: 2 });
  const approval = (await parts.admin.client.get(`/v2/policy-approvals/${change.approvalId}`)).body;
  expect(approval).toMatchObject({ status: 'Expired' });
});

test('a vote that was accepted before the expiry prevails', async () => {
  const change = await approved();
  expect(await steps.expireChangeRequest(ref(change), change.approvalId)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect(await permission()).toMatchObject({ operations: ['Policies:Read'] });
});

test('a late timer of an earlier approval does not end the change', async () => {
  const change = await ask({ name: `Asked ${permissionId}` });
  expect(await steps.expireChangeRequest(ref(change), 'ap-00000-00000-0000000000000000')).toMatchObject({ outcome: 'Held' });
});

test('an approved change that is reviewed several times at once is applied once', async () => {
  const change = await approved();
  const looks = await Promise.all(Array.from({ length: 10 }, () => steps.reviewChangeRequest(ref(change))));
  expect(looks).toEqual(Array.from({ length: 10 }, () => ({ outcome: 'Ended', status: 'Applied' })));
  expect(await permission()).toMatchObject({ version: 2 });
  expect(await parts.row(change.id)).toMatchObject({ version: 2 });
});

describe('a change is judged once more at its release (S9)', () => {
  test('a policy that came into force meanwhile holds the change again, and only the new approval releases the change', async () => {
    const change = await approved();
    await hold({ name: 'Stricter' });
    const standing = (await steps.reviewChangeRequest(ref(change))) as { outcome: string; approvalId: string };
    expect(standing.outcome).toBe('Held');
    expect(standing.approvalId).not.toBe(change.approvalId);
    expect(await permission()).toMatchObject({ version: 1 });
    expect((await parts.admin.client.get(`/permissions/${permissionId}`)).body).toMatchObject({
      pendingChangeRequest: { id: change.id, approvalId: standing.approvalId },
    });
    await parts.decide(standing.approvalId, 'Approved');
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Applied' });
  });

  test('a policy that now blocks rejects the change', async () => {
    const change = await approved();
    await hold({ action: { kind: 'Block' } });
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Rejected' });
    expect(await permission()).toMatchObject({ version: 1 });
  });

  test('an archived policy does not hold the change again', async () => {
    const change = await approved();
    await parts.drop(policyId);
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Applied' });
  });
});

describe('only the approved change is applied (S2)', () => {
  test.each([
    [
      'a changed list of operations in the request',
      `UPDATE change_requests SET change = jsonb_set(change, '{operations}', '["Keys:Export"]')`,
    ],
    ['a changed permission', `UPDATE change_requests SET entity_id = 'pm-00000-00000-0000000000000000'`],
    ['a changed requester', `UPDATE change_requests SET requester_user_id = (SELECT max(id) FROM users)`],
    ['a changed former state', `UPDATE change_requests SET before = '{}'`],
  ])('%s ends the change as Failed', async (_what, sql) => {
    const change = await approved();
    await forge(`${sql} WHERE id = $1`, [change.id]);
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await permission()).toMatchObject({ operations: ['Permissions:Read'] });
  });

  test('a change is not applied when its approval was set to Approved without a vote', async () => {
    const change = await ask({ operations: ['Policies:Read'] });
    await parts.db.withOrg(parts.orgId, (tx) =>
      tx.query(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [change.approvalId]),
    );
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await parts.row(change.id)).toMatchObject({ reason: 'The approval lacks the votes of its approvers' });
    expect(await permission()).toMatchObject({ version: 1 });
  });

  test('a change with an unsigned vote is not applied', async () => {
    const change = await approved();
    await parts.api.database.arrange(
      `UPDATE user_actions SET signature = 'AAAA' WHERE id IN (SELECT user_action_id FROM approval_votes WHERE approval_id = $1)`,
      [change.approvalId],
    );
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await permission()).toMatchObject({ version: 1 });
  });

  test('a change is not applied when request and approval were rewritten in the same way, because the digest differs', async () => {
    const change = await approved();
    await forge(`UPDATE change_requests SET change = jsonb_set(change, '{operations}', '["Keys:Export"]') WHERE id = $1`, [
      change.id,
    ]);
    await forge(
      `UPDATE approvals SET committed = jsonb_set(committed, '{envelope,change,operations}', '["Keys:Export"]') WHERE id = $1`,
      [change.approvalId],
    );
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
  });

  test('a permission that has changed since the request stays as it is', async () => {
    const change = await approved();
    await forge('UPDATE permissions SET version = version + 1 WHERE id = $1', [permissionId]);
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await parts.row(change.id)).toMatchObject({ reason: 'The permission has changed since this was requested' });
  });

  test('a change to a name that another permission has taken meanwhile fails', async () => {
    const name = `Wanted ${permissionId}`;
    const change = await approved({ name });
    parts.body(await parts.admin.client.change('POST', '/permissions', { name, operations: ['Keys:Read'] }));
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await parts.row(change.id)).toMatchObject({ reason: 'Another permission has this name now' });
  });
});

describe('a change request', () => {
  const moments: readonly (readonly [ChangeStatus, (change: Waiting) => Promise<unknown>])[] = [
    ['Applied', async (change) => parts.decide(change.approvalId, 'Approved').then(() => steps.reviewChangeRequest(ref(change)))],
    ['Rejected', async (change) => parts.decide(change.approvalId, 'Denied').then(() => steps.reviewChangeRequest(ref(change)))],
    ['Failed', async (change) => steps.failChangeRequest(ref(change))],
  ];
  test.each(moments)('in %s is final: a review, an expiry or a failure does not change it', async (status, bring) => {
    const change = await ask({ name: `Once ${permissionId}` });
    await bring(change);
    const before = await parts.row(change.id);
    expect(before).toMatchObject({ status });
    const ended = { outcome: 'Ended', status };
    expect(await steps.reviewChangeRequest(ref(change))).toEqual(ended);
    expect(await steps.expireChangeRequest(ref(change), change.approvalId)).toEqual(ended);
    expect(await steps.failChangeRequest(ref(change))).toBe(status);
    expect(await parts.row(change.id)).toEqual(before);
  });

  test('that is given up becomes Failed, and its permission can be changed again', async () => {
    const change = await ask({ name: `Given up ${permissionId}` });
    expect(await steps.failChangeRequest(ref(change))).toBe('Failed');
    await parts.drop(policyId);
    expect((await parts.admin.client.change('PUT', `/permissions/${permissionId}`, { operations: ['Keys:Read'] })).status).toBe(
      200,
    );
  });
});

describe('an assignment', () => {
  let person: Person;
  beforeEach(async () => {
    await parts.drop(policyId);
    person = await parts.api.createPerson(parts.orgId, { operations: [] });
    policyId = await parts.hold('Permissions:Assign', about());
  });
  const assignments = () =>
    parts.db.read(parts.orgId).rows(PermissionAssignmentEntity, 'WHERE t.permission_id = $1', [permissionId]);
  const approvedFor = async (identityId: string): Promise<Waiting> => {
    const change = parts.body<Waiting>(await parts.assign(permissionId, identityId), 202);
    await parts.decide(change.approvalId, 'Approved');
    return change;
  };

  test('to a user who was archived meanwhile fails', async () => {
    const change = await approvedFor(person.userId);
    await forge('UPDATE users SET date_archived = now() WHERE id = $1', [person.userId]);
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await assignments()).toEqual([]);
  });

  test('to a token also restricts the token', async () => {
    await forge(`UPDATE access_tokens SET kind = 'Pat' WHERE id = $1`, [person.tokenId]);
    const change = await approvedFor(person.tokenId);
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Applied' });
    expect(await assignments()).toMatchObject([{ userId: person.userId, tokenId: person.tokenId }]);
    const token = await parts.db.read(parts.orgId).row(AccessTokenEntity, 'WHERE t.id = $1', [person.tokenId]);
    expect(token?.isRestricted).toBe(true);
  });

  test('that was deleted meanwhile cannot be revoked, and the change fails', async () => {
    await parts.drop(policyId);
    const { id } = parts.body<{ id: string }>(await parts.assign(permissionId, person.userId));
    policyId = await parts.hold('Permissions:Assign', about());
    const path = `/permissions/${permissionId}/assignments/${id}`;
    const change = parts.body<Waiting>(await parts.admin.client.change('DELETE', path), 202);
    await forge('DELETE FROM permission_assignments WHERE id = $1', [id]);
    await parts.decide(change.approvalId, 'Approved');
    expect(await steps.reviewChangeRequest(ref(change))).toEqual({ outcome: 'Ended', status: 'Failed' });
  });

  test('that has become the last one with full access stays, and the change that revokes it fails', async () => {
    const orgId = await parts.api.createOrganization();
    const [one, other] = [await parts.api.createPerson(orgId), await parts.api.createPerson(orgId)];
    const rows = await parts.db.read(orgId).rows(PermissionAssignmentEntity, '');
    const [mine, theirs] = [one, other].map(({ userId }) => rows.find((row) => row.userId === userId));
    await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [theirs?.permissionId] } } }, one);
    const path = `/permissions/${theirs?.permissionId}/assignments/${theirs?.id}`;
    const change = parts.body<Waiting>(await one.client.change('DELETE', path), 202);
    await parts.decide(change.approvalId, 'Approved', other);
    await forge('DELETE FROM permission_assignments WHERE id = $1', [mine?.id]);
    const gone = { orgId, changeRequestId: change.id };
    expect(await steps.reviewChangeRequest(gone)).toEqual({ outcome: 'Ended', status: 'Failed' });
    expect(await parts.db.read(orgId).rows(PermissionAssignmentEntity, 'WHERE t.id = $1', [theirs?.id ?? ''])).toHaveLength(1);
  });
});

test('each step emits an event: the triggered policy, the pending approval, the resolved approval and the resolved change', async () => {
  const change = await approved();
  await steps.reviewChangeRequest(ref(change));
  const told = await parts.db
    .read(parts.orgId)
    .rows(EventEntity, 'WHERE t.aggregate_id IN ($1, $2) ORDER BY t.id', [change.id, change.approvalId]);
  const kinds = ['policy.triggered', 'policy.approval.pending', 'policy.approval.resolved', 'policy.activity.resolved'];
  expect(told.map(({ kind }) => kind)).toEqual(kinds);
  expect(told.at(-1)?.data).toMatchObject({ status: 'Cleared', activity: { changeRequest: { id: change.id } } });
});
