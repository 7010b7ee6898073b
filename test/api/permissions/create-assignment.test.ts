import { issueToken } from '../../../application/access-tokens/tokens';
import { assignDefaultEndUser } from '../../../application/permissions/managed-permissions';
import { newId } from '../../../platform/ids';
import { Client } from '../../support/client';
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

const nobody = () => parts.api.createPerson(parts.orgId, { operations: [] });
const patOf = (userId: string) =>
  parts.db.withOrg(parts.orgId, (tx) =>
    issueToken(tx, parts.api.tokens, { userId, kind: 'Pat', name: newId('token'), lifetimeMs: 60_000 }),
  );

test('200: a user, a service account and an end user have the permission with their next request', async () => {
  for (const more of [{}, { isServiceAccount: true }, { kind: 'EndUser' as const }]) {
    const person = await parts.api.createPerson(parts.orgId, { operations: [], ...more });
    const date = expect.stringMatching(/Z$/);
    expect(parts.body(await parts.assign(permissionId, person.userId))).toEqual({
      id: expect.stringMatching(/^as-/),
      permissionId,
      identityId: person.userId,
      isImmutable: false,
      dateCreated: date,
      dateUpdated: date,
    });
    expect((await person.client.get('/permissions')).status).toBe(200);
  }
});

test('200: a token with assignments has only the rights that the assignments and its user both have', async () => {
  const person = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Read', 'Policies:Read'] });
  const { id, token } = await patOf(person.userId);
  const asToken = new Client(parts.api.url, { ...person, token });
  expect((await asToken.get('/v2/policies')).status).toBe(200);
  expect(parts.body(await parts.assign(permissionId, id))).toMatchObject({ identityId: id });
  expect((await asToken.get('/permissions')).status).toBe(200);
  expect((await asToken.get('/v2/policies')).status).toBe(403);
  parts.body(await parts.assign(await parts.permission(['Auth:Users:Read']), id));
  expect((await asToken.get('/auth/users')).status).toBe(403);
  expect((await person.client.get('/v2/policies')).status).toBe(200);
});

test('200: the permission of end users can be assigned to others; its operations can change, but not its name', async () => {
  const person = await nobody();
  await parts.db.withOrg(parts.orgId, (tx) => assignDefaultEndUser(tx, person.userId));
  await parts.db.withOrg(parts.orgId, (tx) => assignDefaultEndUser(tx, person.userId));
  const { items } = parts.body<{ items: { id: string; name: string }[] }>(await parts.admin.client.get('/permissions?limit=500'));
  const managed = items.find(({ name }) => name === 'ManagedDefaultEndUserAccess');
  expect(managed).toMatchObject({ isImmutable: false });
  const path = `/permissions/${managed?.id}`;
  expect((await parts.admin.client.change('PUT', path, { operations: ['Permissions:Read'] })).status).toBe(200);
  expect((await person.client.get('/permissions')).status).toBe(200);
  expect(errorId((await parts.admin.client.change('PUT', path, { name: 'Mine' })).body)).toBe('WrongState');
  expect(errorId((await parts.admin.client.change('PUT', `${path}/archive`, { isArchived: true })).body)).toBe('WrongState');
});

test('202: if a policy requires approval, the person gets the permission only once people approve the assignment', async () => {
  const policyId = await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
  const person = await nobody();
  const change = parts.body<Waiting>(await parts.assign(permissionId, person.userId), 202);
  expect(change).toMatchObject({
    kind: 'Assignment',
    operationKind: 'Create',
    status: 'Pending',
    body: { id: change.entityId, permissionId, identityId: person.userId, isImmutable: false },
  });
  expect((await parts.approver.client.get(`/v2/policy-approvals/${change.approvalId}`)).body).toMatchObject({
    activity: { kind: 'Permissions:Assign', changeRequest: change },
  });
  expect((await person.client.get('/permissions')).status).toBe(403);
  expect(errorId((await parts.assign(permissionId, person.userId)).body)).toBe('ChangePending');
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect((await person.client.get('/permissions')).status).toBe(200);
  await parts.drop(policyId);
});

test('202: if the permission has changed since the request, the approved assignment fails', async () => {
  const policyId = await parts.hold('Permissions:Assign', { filters: { permissionId: { in: [permissionId] } } });
  const person = await nobody();
  const change = parts.body<Waiting>(await parts.assign(permissionId, person.userId), 202);
  parts.body(await parts.admin.client.change('PUT', `/permissions/${permissionId}`, { operations: ['Policies:Read'] }));
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Failed' });
  expect((await person.client.get('/v2/policies')).status).toBe(403);
  await parts.drop(policyId);
});

test('400: the body does not contain a valid identity', async () => {
  for (const sent of [{}, { identityId: '' }, { identityId: 'x'.repeat(65) }]) {
    const { status, body } = await parts.admin.client.change('POST', `/permissions/${permissionId}/assignments`, sent);
    expect([status, firstIssue(body)]).toEqual([400, 'body.identityId']);
  }
});

test('403: without Permissions:Assign, and when a policy blocks the assignment', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Permissions:Create'] });
  expect((await parts.assign(permissionId, parts.admin.userId, other)).status).toBe(403);
  const policyId = await parts.hold('Permissions:Assign', {
    filters: { permissionId: { in: [permissionId] } },
    action: { kind: 'Block' },
  });
  const person = await nobody();
  expect(errorId((await parts.assign(permissionId, person.userId)).body)).toBe('PolicyBlocked');
  expect((await person.client.get('/permissions')).status).toBe(403);
  await parts.drop(policyId);
});

test('404: a permission or an identity that is unknown or belongs to another organisation, and an id of another kind', async () => {
  const stranger = await parts.stranger();
  const person = await nobody();
  expect((await parts.assign(newId('permission'), person.userId)).status).toBe(404);
  expect((await parts.assign(permissionId, stranger.userId, stranger)).status).toBe(404);
  for (const identity of [stranger.userId, newId('user'), newId('token'), newId('wallet'), 'somebody', person.tokenId])
    expect([identity, (await parts.assign(permissionId, identity)).status]).toEqual([identity, 404]);
});

test('409: the permission is archived, or the identity already has it', async () => {
  const person = await nobody();
  expect((await parts.assign(permissionId, person.userId)).status).toBe(200);
  expect(errorId((await parts.assign(permissionId, person.userId)).body)).toBe('Conflict');
  await parts.admin.client.change('PUT', `/permissions/${permissionId}/archive`, { isArchived: true });
  expect(errorId((await parts.assign(permissionId, parts.approver.userId)).body)).toBe('WrongState');
});

test('409: a permission is assigned to one person many times at once, and exactly one request succeeds', async () => {
  const person = await nobody();
  const answers = await Promise.all(Array.from({ length: 12 }, () => parts.assign(permissionId, person.userId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
});
