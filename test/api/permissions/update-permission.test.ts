import { ApprovalEntity } from '../../../entities/approvals/approval.entity';
import { EventEntity } from '../../../entities/events/event.entity';
import { PermissionEntity } from '../../../entities/permissions/permission.entity';
import { newId } from '../../../platform/ids';
import { type PermissionApi, startPermissionApi, type Waiting } from '../../support/permission-api';
import { errorId, firstIssue } from '../../support/policy-api';

let parts: PermissionApi;
let permissionId: string;
beforeAll(async () => {
  parts = await startPermissionApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  permissionId = await parts.permission(['Permissions:Read']);
});

const update = (body: unknown, id = permissionId, by = parts.admin) => by.client.change('PUT', `/permissions/${id}`, body);
const row = () => parts.db.read(parts.orgId).row(PermissionEntity, 'WHERE t.id = $1', [permissionId]);
const eventsOf = (id: string) => parts.db.read(parts.orgId).rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [id]);

test('200: the name and the operations can change together or separately, and the change applies to the holders at once', async () => {
  const person = await parts.api.createPerson(parts.orgId, { operations: [] });
  await parts.assign(permissionId, person.userId);
  expect((await person.client.get('/v2/policies')).status).toBe(403);
  expect(await update({ operations: ['Policies:Read'] })).toMatchObject({ status: 200, body: { operations: ['Policies:Read'] } });
  expect((await person.client.get('/v2/policies')).status).toBe(200);
  expect((await person.client.get('/permissions')).status).toBe(403);
  const name = `Renamed ${permissionId}`;
  expect(await update({ name })).toMatchObject({ status: 200, body: { name, operations: ['Policies:Read'] } });
  expect(await row()).toMatchObject({ version: 3 });
});

test('200: a body with current values changes nothing, and the version stays', async () => {
  expect((await update({})).status).toBe(200);
  expect((await update({ operations: ['Permissions:Read', 'Permissions:Read'] })).status).toBe(200);
  expect(await row()).toMatchObject({ version: 1 });
});

test.each([
  [{ name: '' }, 'body.name'],
  [{ operations: [] }, 'body.operations'],
  [{ operations: ['Wallets:Melt'] }, 'body.operations.0'],
  [{ status: 'Archived' }, 'body.status'],
])('400: for %j, the error contains the path of the fault', async (body, path) => {
  const answer = await update(body);
  expect([answer.status, firstIssue(answer.body)]).toEqual([400, path]);
});

test('403: without Permissions:Update', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Create'] });
  expect((await update({ name: 'x' }, permissionId, other)).status).toBe(403);
});

test('404: a permission that is unknown or belongs to another organisation', async () => {
  expect((await update({ name: 'x' }, newId('permission'))).status).toBe(404);
  expect((await update({ name: 'x' }, permissionId, await parts.stranger())).status).toBe(404);
});

test('409: the permission is the one for full access or is archived, or another permission has the name', async () => {
  const { items } = parts.body<{ items: { id: string; name: string; isImmutable: boolean }[] }>(
    await parts.admin.client.get('/permissions?limit=500'),
  );
  const full = items.find(({ isImmutable }) => isImmutable);
  expect(errorId((await update({ operations: ['Keys:Read'] }, full?.id)).body)).toBe('WrongState');
  expect(errorId((await update({ name: full?.name })).body)).toBe('Conflict');
  await parts.admin.client.change('PUT', `/permissions/${permissionId}/archive`, { isArchived: true });
  expect((await update({ name: 'x' })).status).toBe(409);
});

describe('a permission with a policy on its changes', () => {
  let policyId: string;
  const holding = async (set = {}) => {
    policyId = await parts.hold('Permissions:Modify', { filters: { permissionId: { in: [permissionId] } }, ...set });
  };
  const ask = async (body: unknown) => parts.body<Waiting>(await update(body), 202);

  test('202: the change waits as a change request with the full new state, and the approval shows this request', async () => {
    await holding();
    const change = await ask({ operations: ['Policies:Approvals:Read'] });
    const { name } = (await row()) ?? {};
    expect(change).toEqual({
      id: expect.stringMatching(/^cr-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
      kind: 'Permission',
      operationKind: 'Update',
      status: 'Pending',
      entityId: permissionId,
      approvalId: expect.stringMatching(/^ap-/),
      requester: { userId: parts.admin.userId, tokenId: parts.admin.tokenId },
      dateCreated: expect.stringMatching(/Z$/),
      body: {
        id: permissionId,
        name,
        operations: ['Policies:Evaluations:Read'],
        status: 'Active',
        isImmutable: false,
        isArchived: false,
      },
    });
    expect(await row()).toMatchObject({ operations: ['Permissions:Read'], version: 1 });
    const approval = (await parts.approver.client.get(`/v2/policy-approvals/${change.approvalId}`)).body;
    expect(approval).toMatchObject({
      initiatorId: parts.admin.userId,
      status: 'Pending',
      activity: { kind: 'Permissions:Modify', changeRequest: change },
      policyEvaluations: [{ policyId, triggered: true }],
    });
    expect((await parts.admin.client.get(`/permissions/${permissionId}`)).body).toMatchObject({ pendingChangeRequest: change });
    expect((await eventsOf(change.approvalId)).map(({ kind }) => kind)).toEqual(['policy.approval.pending']);
    expect((await eventsOf(change.id)).map(({ kind }) => kind)).toEqual(['policy.triggered']);
  });

  test('202: an approved change is applied to the version that approvers saw, and is no longer shown as pending', async () => {
    await holding();
    const change = await ask({ operations: ['Policies:Read'] });
    expect((await parts.decide(change.approvalId, 'Approved', parts.admin)).status).toBe(403);
    expect((await parts.decide(change.approvalId, 'Approved')).status).toBe(200);
    expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
    expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
    expect(await row()).toMatchObject({ operations: ['Policies:Read'], version: 2 });
    expect((await parts.admin.client.get(`/permissions/${permissionId}`)).body).not.toHaveProperty('pendingChangeRequest');
    expect(await parts.row(change.id)).toMatchObject({ status: 'Applied', dateResolved: expect.any(Date), version: 2 });
  });

  test('202: a denied change changes nothing', async () => {
    await holding();
    const change = await ask({ name: 'Never' });
    expect((await parts.decide(change.approvalId, 'Denied')).status).toBe(200);
    expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Rejected' });
    expect(await row()).toMatchObject({ version: 1 });
    expect(await parts.row(change.id)).toMatchObject({ status: 'Rejected', reason: 'Denied by an approver' });
  });

  test('409: another change of the permission is waiting', async () => {
    await holding();
    const change = await ask({ name: `First ${permissionId}` });
    expect(await update({ name: 'Second' })).toMatchObject({
      status: 409,
      body: { error: { id: 'ChangePending', details: { changeRequestId: change.id, approvalId: change.approvalId } } },
    });
    const archive = await parts.admin.client.change('PUT', `/permissions/${permissionId}/archive`, { isArchived: true });
    expect(errorId(archive.body)).toBe('ChangePending');
    await parts.drop(policyId);
    expect(errorId((await update({ name: 'Third' })).body)).toBe('ChangePending');
    await parts.decide(change.approvalId, 'Denied');
    await parts.review(change.id);
    expect((await update({ name: `Fourth ${permissionId}` })).status).toBe(200);
  });

  test('202: of many simultaneous changes, exactly one waits and the others are refused', async () => {
    await holding();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => update({ name: `${at} ${permissionId}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 11 }, () => 409)]);
  });

  test('403: a policy blocks the change, and the answer contains the policy; the attempt is recorded, and nothing changes', async () => {
    await holding({ action: { kind: 'Block' } });
    const { status, body } = await update({ name: 'Never' });
    expect([status, errorId(body)]).toEqual([403, 'PolicyBlocked']);
    expect(body).toMatchObject({ error: { message: expect.stringContaining(policyId) } });
    expect(await row()).toMatchObject({ version: 1 });
    const told = await parts.db
      .read(parts.orgId)
      .rows(EventEntity, `WHERE t.kind = 'policy.triggered' ORDER BY t.id DESC LIMIT 1`);
    expect(told[0]?.data).toMatchObject({
      policyEvaluation: { triggered: true, activity: { kind: 'Permissions:Modify', changeRequest: { entityId: permissionId } } },
    });
  });

  test('202: a policy for another permission does not hold a change of this permission', async () => {
    await parts.hold('Permissions:Modify', { filters: { permissionId: { in: [await parts.permission()] } } });
    await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
    expect((await update({ name: `Free ${permissionId}` })).status).toBe(200);
  });

  test('202: the digest that approvers sign covers the former state and the whole new state', async () => {
    await holding();
    const change = await ask({ operations: ['Policies:Read'] });
    const approval = await parts.db.read(parts.orgId).row(ApprovalEntity, 'WHERE t.id = $1', [change.approvalId]);
    expect(approval?.committed).toMatchObject({
      activityKind: 'Permissions:Modify',
      activityId: change.id,
      envelope: {
        kind: 'Permission',
        operationKind: 'Update',
        entityId: permissionId,
        baseVersion: 1,
        requester: parts.admin.userId,
        before: { operations: ['Permissions:Read'], status: 'Active' },
        change: { operations: ['Policies:Read'], status: 'Active' },
      },
    });
  });
});
