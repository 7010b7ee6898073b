import { changeSettings } from '../../../../application/organizations/settings';
import { approvalStore } from '../../../../entities/approvals/approval.store';
import { UserActionEntity } from '../../../../entities/user-actions/user-action.entity';
import { UserEntity } from '../../../../entities/users/user.entity';
import { newId } from '../../../../platform/ids';
import { holdTransfer, insertPolicy, insertWallet } from '../../../support/held-activity';
import { eachWithApproval, errorId, firstIssue, type PolicyApi, policyBody } from '../../../support/policy-api';

let parts: PolicyApi;
let approvalId: string;
eachWithApproval((...held) => {
  [parts, approvalId] = held;
});

const pathOf = (id = approvalId) => `/v2/policy-approvals/${id}/decisions`;
const decide = (body: unknown, by = parts.approver, id = approvalId) => by.client.change('POST', pathOf(id), body);
const reader = () => parts.api.database.db.read(parts.orgId);

test('200: the answer to the vote is the approval that the vote resolved', async () => {
  const { status, body } = await decide({ value: 'Approved', reason: 'checked by phone' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: approvalId,
    status: 'Approved',
    dateResolved: expect.stringMatching(/Z$/),
    decisions: [
      { userId: parts.approver.userId, value: 'Approved', reason: 'checked by phone', date: expect.stringMatching(/Z$/) },
    ],
  });
  expect(await parts.admin.client.get(`/v2/policy-approvals/${approvalId}`)).toMatchObject({ status: 200, body });
});

test('200: the initiator may deny, and a vote without a reason shows null', async () => {
  const { status, body } = await decide({ value: 'Denied' }, parts.admin);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'Denied', decisions: [{ userId: parts.admin.userId, reason: null }] });
});

test('200: the signature of the vote covers the digest of the approval', async () => {
  await decide({ value: 'Approved' });
  const [vote] = await approvalStore.votes(reader(), [approvalId]);
  const action = await reader().row(UserActionEntity, 'WHERE t.id = $1', [vote?.userActionId ?? '']);
  expect(action?.approvalDigest).toBe((await approvalStore.find(reader(), approvalId))?.digest);
});

test.each<[string, unknown, string]>([
  ['no decision', {}, 'body.value'],
  ['an unknown decision', { value: 'approved' }, 'body.value'],
  ['a reason of 1001 characters', { value: 'Denied', reason: 'x'.repeat(1001) }, 'body.reason'],
  ['a reason of null', { value: 'Denied', reason: null }, 'body.reason'],
  ['an unknown member', { value: 'Denied', userId: 'us-1' }, 'body.userId'],
])('400: for %s, the error contains the path, and no vote is stored', async (_title, sent, path) => {
  const { status, body } = await decide(sent);
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
  expect(await approvalStore.votes(reader(), [approvalId])).toEqual([]);
});

test('403: the voter is the initiator or joined after the request', async () => {
  const own = await decide({ value: 'Approved' }, parts.admin);
  expect(own.status).toBe(403);
  expect(own.body).toMatchObject({ error: { id: 'Forbidden', message: expect.stringContaining('initiator') } });
  const late = await parts.api.createPerson(parts.orgId);
  expect((await decide({ value: 'Approved' }, late)).status).toBe(403);
});

test('403: without the permission, for a program and an end user, and without a user action for this approval', async () => {
  const { createPerson } = parts.api;
  expect((await decide({ value: 'Denied' }, await createPerson(parts.orgId, { operations: ['Policies:Read'] }))).status).toBe(
    403,
  );
  expect((await decide({ value: 'Denied' }, await createPerson(parts.orgId, { isServiceAccount: true }))).status).toBe(403);
  expect((await decide({ value: 'Denied' }, await createPerson(parts.orgId, { kind: 'EndUser' }))).status).toBe(403);
  const text = JSON.stringify({ value: 'Approved' });
  const other = await parts.approver.client.userAction('POST', pathOf(await parts.hold()), text);
  const headers = { 'x-svc-useraction': other };
  const answer = await parts.approver.client.send({ method: 'POST', path: pathOf(), text, headers });
  expect(answer.status).toBe(403);
  expect(errorId(answer.body)).toBe('UserActionInvalid');
});

test('200: a program may approve if both the operator and the group allow it, but it may never approve a request of its creator', async () => {
  const { createPerson, createOrganization, database } = parts.api;
  const orgId = await createOrganization();
  const [admin, other] = [await createPerson(orgId), await createPerson(orgId)];
  const program = await createPerson(orgId, { isServiceAccount: true });
  await database.db.withOrg(orgId, async (tx) => {
    await tx.update(UserEntity, { id: program.userId }, { createdBy: admin.userId });
    await changeSettings(tx, { serviceAccountsMayVote: true });
  });
  const walletId = await insertWallet(database.db, orgId);
  const approvers = { userId: { in: [admin, other, program].map(({ userId }) => userId) } };
  const approvalGroups = [{ quorum: 1, approvers, serviceAccountsCanApprove: true }];
  await insertPolicy(database.db, orgId, { action: { kind: 'RequestApproval', approvalGroups } });
  const askedBy = async ({ userId: initiatorId }: typeof admin) =>
    (await holdTransfer(database.db, orgId, { walletId, initiatorId })).approvalId;

  const own = await decide({ value: 'Approved' }, program, await askedBy(admin));
  expect([own.status, own.body]).toMatchObject([403, { error: { id: 'Forbidden' } }]);
  const creators = await decide({ value: 'Approved' }, admin, await askedBy(program));
  const words = expect.stringContaining('the initiator is a service account that this user created');
  expect([creators.status, creators.body]).toMatchObject([403, { error: { message: words } }]);
  const approved = await decide({ value: 'Approved' }, program, await askedBy(other));
  expect([approved.status, approved.body]).toMatchObject([200, { status: 'Approved' }]);
});

test('403: the approval has changed since the vote was signed', async () => {
  const text = JSON.stringify({ value: 'Approved' });
  const headers = { 'x-svc-useraction': await parts.approver.client.userAction('POST', pathOf(), text) };
  await parts.api.database.db.withOrg(parts.orgId, (tx) =>
    tx.query(`UPDATE approvals SET digest = 'other' WHERE id = $1`, [approvalId]),
  );
  const { status, body } = await parts.approver.client.send({ method: 'POST', path: pathOf(), text, headers });
  expect(status).toBe(403);
  expect(errorId(body)).toBe('UserActionInvalid');
  expect(await approvalStore.votes(reader(), [approvalId])).toEqual([]);
});

test('404: an approval that is unknown or belongs to another organisation', async () => {
  expect((await decide({ value: 'Denied' }, parts.approver, newId('approval'))).status).toBe(404);
  expect((await decide({ value: 'Denied' }, await parts.stranger())).status).toBe(404);
});

test('409: the approval is closed, or the user has already voted', async () => {
  await decide({ value: 'Denied' });
  const closed = await decide({ value: 'Approved' });
  expect(closed.status).toBe(409);
  expect(errorId(closed.body)).toBe('ApprovalClosed');
});

test('200: after the removal of a group, a vote causes no error and has no effect', async () => {
  const { body } = await parts.admin.client.change('POST', '/v2/policies', policyBody());
  const held = await parts.hold();
  // The other policy still has its group, but the removal of any group ends the approval.
  await parts.admin.client.change('DELETE', `/v2/policies/${(body as { id: string }).id}`, {});
  expect((await parts.admin.client.get(`/v2/policy-approvals/${held}`)).body).toMatchObject({ status: 'Denied' });
  const voted = await decide({ value: 'Approved' }, parts.approver, held);
  expect([voted.status, voted.body]).toMatchObject([200, { status: 'Denied', decisions: [] }]);
  const late = await parts.api.createPerson(parts.orgId);
  expect((await decide({ value: 'Approved' }, late, held)).status).toBe(403);
});

test('200: a group with a new name keeps its approvals', async () => {
  const { client } = parts.admin;
  const { body } = await client.change('POST', '/v2/policies', policyBody());
  const { id, ...shown } = body as { id: string; action: { approvalGroups: unknown[] } };
  expect(shown.action.approvalGroups).toEqual([{ name: 'Finance', quorum: 1, approvers: {} }]);
  const held = await parts.hold();
  const approvalGroups = [{ name: 'Treasury', quorum: 1, approvers: {} }];
  const renamed = await client.change(
    'PUT',
    `/v2/policies/${id}`,
    policyBody({ action: { kind: 'RequestApproval', approvalGroups } }),
  );
  expect([renamed.status, renamed.body]).toMatchObject([200, { action: { approvalGroups } }]);
  expect((await client.get(`/v2/policy-approvals/${held}`)).body).toMatchObject({ status: 'Pending' });
  const approved = await decide({ value: 'Approved' }, parts.approver, held);
  expect([approved.status, approved.body]).toMatchObject([200, { status: 'Approved' }]);
  await client.change('DELETE', `/v2/policies/${id}`, {});
});

test('403: a new voter approves; a denial is accepted', async () => {
  const { database, createPerson } = parts.api;
  // This test comes last, because its setting makes every voter a new voter.
  await database.db.withOrg(parts.orgId, (tx) => changeSettings(tx, { voterCoolingHours: 1 }));
  const late = await createPerson(parts.orgId);
  const held = await parts.hold();
  const { status, body } = await decide({ value: 'Approved' }, late, held);
  expect([status, body]).toMatchObject([403, { error: { message: expect.stringContaining('too new') } }]);
  expect((await decide({ value: 'Denied' }, late, held)).status).toBe(200);
});
