import { PermissionAssignmentEntity } from '../../../entities/permissions/permission-assignment.entity';
import { newId } from '../../../platform/ids';
import type { Person } from '../../support/api';
import { type PermissionApi, startPermissionApi, type Waiting } from '../../support/permission-api';
import { errorId, firstIssue } from '../../support/policy-api';

let parts: PermissionApi;
let permissionId: string;
let person: Person;
let assignmentId: string;
beforeAll(async () => {
  parts = await startPermissionApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  permissionId = await parts.permission(['Permissions:Read']);
  person = await parts.api.createPerson(parts.orgId, { operations: [] });
  assignmentId = parts.body<{ id: string }>(await parts.assign(permissionId, person.userId)).id;
});

const remove = (query = '', by = parts.admin, at = { permissionId, assignmentId }) =>
  by.client.change('DELETE', `/permissions/${at.permissionId}/assignments/${at.assignmentId}${query}`);
const assignments = (orgId: string) => parts.db.read(orgId).rows(PermissionAssignmentEntity, '');

test('200: the person has lost the permission at the next request, and the row of the assignment is deleted', async () => {
  expect((await person.client.get('/permissions')).status).toBe(200);
  expect((await remove()).status).toBe(200);
  expect((await person.client.get('/permissions')).status).toBe(403);
  expect((await assignments(parts.orgId)).map(({ id }) => id)).not.toContain(assignmentId);
  expect((await remove()).status).toBe(404);
});

test('202: if a policy requires approval, the person keeps the permission until people approve the removal', async () => {
  const policyId = await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
  const change = parts.body<Waiting>(await remove(), 202);
  expect(errorId((await remove()).body)).toBe('ChangePending');
  expect((await person.client.get('/permissions')).status).toBe(200);
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect((await person.client.get('/permissions')).status).toBe(403);
  await parts.drop(policyId);
});

test('400: force is neither true nor false', async () => {
  const { status, body } = await remove('?force=maybe');
  expect([status, firstIssue(body)]).toEqual([400, 'query.force']);
});

test('403: without Permissions:Revoke, and when a policy blocks the removal', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Assign'] });
  expect((await remove('', other)).status).toBe(403);
  const policyId = await parts.hold('Permissions:Assign', { action: { kind: 'Block' } });
  expect(errorId((await remove()).body)).toBe('PolicyBlocked');
  expect((await person.client.get('/permissions')).status).toBe(200);
  await parts.drop(policyId);
});

test('404: the assignment is unknown or belongs to another permission or organisation', async () => {
  const elsewhere = await parts.permission();
  for (const at of [
    { permissionId, assignmentId: newId('assignment') },
    { permissionId: elsewhere, assignmentId },
    { permissionId: newId('permission'), assignmentId },
    { permissionId, assignmentId: 'as-nothing' },
  ])
    expect((await remove('', parts.admin, at)).status).toBe(404);
  expect((await remove('', await parts.stranger())).status).toBe(404);
});

test('409: the user is the last full administrator, even with force; of two who remove each other, one stays', async () => {
  const orgId = await parts.api.createOrganization();
  const [one, other] = [await parts.api.createPerson(orgId), await parts.api.createPerson(orgId)];
  const rows = await assignments(orgId);
  const of = ({ userId }: Person) => {
    const row = rows.find((each) => each.userId === userId);
    return { permissionId: row?.permissionId ?? '', assignmentId: row?.id ?? '' };
  };
  const answers = await Promise.all([remove('', one, of(other)), remove('', other, of(one))]);
  const [done, refused] = answers.map(({ status }) => status).sort();
  expect(done).toBe(200);
  // The second request is refused to keep the last administrator, or because its caller has already lost the permission.
  expect([403, 409]).toContain(refused);
  const [last, gone] = answers[0]?.status === 200 ? [one, other] : [other, one];
  for (const query of ['', '?force=true']) expect(errorId((await remove(query, last, of(last))).body)).toBe('LastAdministrator');
  expect((await gone.client.get('/permissions')).status).toBe(403);
});

test('409: the assignment is immutable', async () => {
  await parts.db.withOrg(parts.orgId, (tx) => tx.update(PermissionAssignmentEntity, { id: assignmentId }, { isImmutable: true }));
  expect(errorId((await remove()).body)).toBe('WrongState');
});

test('409: a policy lists the user as an approver, who keeps the right to vote unless the removal is forced', async () => {
  const voting = await parts.permission(['Policies:Approvals:Approve']);
  const { id } = parts.body<{ id: string }>(await parts.assign(voting, person.userId));
  const groups = [{ quorum: 1, approvers: { userId: { in: [person.userId] } } }];
  const policyId = await parts.hold('Policies:Modify', {
    filters: { policyId: { in: [await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [voting] } } })] } },
    action: { kind: 'RequestApproval', approvalGroups: groups },
  });
  const at = { permissionId: voting, assignmentId: id };
  expect(await remove('', parts.admin, at)).toMatchObject({
    status: 409,
    body: { error: { id: 'NamedApprover', details: { policies: [{ id: policyId }] } } },
  });
  expect((await remove('?force=false', parts.admin, at)).status).toBe(409);
  expect((await remove('?force=true', parts.admin, at)).status).toBe(202);
});
