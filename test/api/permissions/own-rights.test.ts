import { createChangeRequestActivities } from '../../../activities/change-requests/change-requests';
import { PermissionEntity } from '../../../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../../../entities/permissions/permission-assignment.entity';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import type { Person } from '../../support/api';
import { type PermissionApi, startPermissionApi, type Waiting } from '../../support/permission-api';
import { type ProgramApi, pemOf, startProgramApi } from '../../support/programs';
import { RELEASING } from '../../support/releasing';

let parts: PermissionApi;
let programs: ProgramApi;
let clerk: Person;
let someone: Person;
beforeAll(async () => {
  parts = await startPermissionApi();
  programs = await startProgramApi(parts.api);
});
afterAll(() => parts?.close());

/** The rights of a clerk who assigns permissions and reads wallets. */
const CLERK = [
  ...['Permissions:Create', 'Permissions:Update', 'Permissions:Archive', 'Permissions:Assign', 'Wallets:Read'],
  ...['Auth:ServiceAccounts:Create', 'Auth:Pats:Create'],
];
beforeEach(async () => {
  clerk = await parts.api.createPerson(parts.orgId, { name: 'clerk', operations: CLERK });
  someone = await parts.api.createPerson(parts.orgId, { operations: [] });
});

const beyond = (...operations: string[]) => ({
  status: 403,
  body: { error: { id: 'BeyondOwnRights', details: { operations } } },
});

const create = (operations: readonly string[], by = clerk) =>
  by.client.change('POST', '/permissions', { name: `Made ${newId('permission')}`, operations });
const update = (id: string, body: unknown, by = clerk) => by.client.change('PUT', `/permissions/${id}`, body);
const row = (id: string) => parts.db.read(parts.orgId).row(PermissionEntity, 'WHERE t.id = $1', [id]);
const assignmentsOf = (userId: string) =>
  parts.db.read(parts.orgId).rows(PermissionAssignmentEntity, 'WHERE t.user_id = $1', [userId]);

test('a person cannot create a permission with more rights than their own', async () => {
  expect(await create(['Wallets:Read', 'Keys:Export', 'Keys:Derive'])).toMatchObject(beyond('Keys:Export', 'Keys:Vrf:Derive'));
  expect(await create(['Wallets:Read', 'Permissions:Delete'])).toMatchObject({ status: 200 });
  expect(await create(['Keys:Export'], parts.admin)).toMatchObject({ status: 200 });
});

test('a person cannot extend or restore a permission beyond their own rights, but may reduce it', async () => {
  const id = await parts.permission(['Wallets:Read', 'Keys:Export']);
  expect(await update(id, { name: `Renamed ${id}` })).toMatchObject(beyond('Keys:Export'));
  expect(await update(id, { operations: ['Wallets:Read', 'Keys:Import'] })).toMatchObject(beyond('Keys:Import'));
  expect(await row(id)).toMatchObject({ version: 1 });
  const archive = (isArchived: boolean) => clerk.client.change('PUT', `/permissions/${id}/archive`, { isArchived });
  expect(await archive(true)).toMatchObject({ status: 200 });
  expect(await archive(false)).toMatchObject(beyond('Keys:Export'));
  const other = await parts.permission(['Wallets:Read', 'Keys:Export']);
  expect(await update(other, { operations: ['Wallets:Read'] })).toMatchObject({ status: 200 });
});

test('a person cannot assign a permission with more rights than their own, such as full access', async () => {
  const id = await parts.permission(['Keys:Export']);
  expect(await parts.assign(id, someone.userId, clerk)).toMatchObject(beyond('Keys:Export'));
  const full = await programs.permissionOf(parts.admin);
  expect(await parts.assign(full, clerk.userId, clerk)).toMatchObject({
    status: 403,
    body: { error: { id: 'BeyondOwnRights' } },
  });
  expect(await assignmentsOf(someone.userId)).toHaveLength(1);
  expect(await parts.assign(await parts.permission(['Wallets:Read']), someone.userId, clerk)).toMatchObject({ status: 200 });
  expect(await parts.assign(id, someone.userId)).toMatchObject({ status: 200 });
});

test('a person cannot create a service account or token with more rights than their own', async () => {
  const permissionId = await parts.permission(['Keys:Export']);
  const publicKey = pemOf(programs.newKeys());
  const account = { name: `Robot ${permissionId}`, publicKey, permissionId };
  expect(await clerk.client.change('POST', '/auth/service-accounts', account)).toMatchObject(beyond('Keys:Export'));
  const named = await parts.db.read(parts.orgId).rows(UserEntity, 'WHERE t.name = $1', [account.name]);
  expect(named).toEqual([]);
  expect(await clerk.client.change('POST', '/auth/pats', account)).toMatchObject(beyond('Keys:Export'));
  expect(await clerk.client.change('POST', '/auth/service-accounts', { ...account, permissionId: undefined })).toMatchObject({
    status: 200,
  });
});

test('a token cannot grant more rights than its own', async () => {
  const permissionId = await parts.permission(['Permissions:Create', 'Wallets:Read']);
  const token = await programs.token(parts.admin, { permissionId });
  const made = (operations: readonly string[]) =>
    token.client.change('POST', '/permissions', { name: `By ${permissionId}`, operations });
  expect(await made(['Keys:Export'])).toMatchObject(beyond('Keys:Export'));
  expect(await made(['Wallets:Read'])).toMatchObject({ status: 200 });
});

test('if the organisation allows it, people can grant more rights than they have', async () => {
  const orgId = await parts.api.createOrganization();
  const admin = await parts.api.createPerson(orgId);
  const giver = await parts.api.createPerson(orgId, { operations: ['Permissions:Create'] });
  expect(await create(['Keys:Export'], giver)).toMatchObject(beyond('Keys:Export'));
  await admin.client.change('PUT', '/organizations/settings', { grantBeyondOwnRights: true });
  expect(await create(['Keys:Export'], giver)).toMatchObject({ status: 200 });
});

test('a held change is checked against the requester’s rights, both at the request and at the release', async () => {
  const policyId = await parts.hold('Permissions:Assign');
  const steps = createChangeRequestActivities({ db: parts.db, ...RELEASING });
  const review = ({ id }: Waiting) => steps.reviewChangeRequest({ orgId: parts.orgId, changeRequestId: id });
  const ask = async (permissionId: string) => parts.body<Waiting>(await parts.assign(permissionId, someone.userId, clerk), 202);
  const permissionId = await parts.permission(['Wallets:Read']);
  const more = await parts.permission(['Keys:Export']);

  // Full administrators approve, but only the rights of the clerk, who requests the change, are checked.
  expect(await parts.assign(more, someone.userId, clerk)).toMatchObject(beyond('Keys:Export'));
  const first = await ask(permissionId);
  const own = await programs.permissionOf(clerk);
  await update(own, { operations: CLERK.filter((name) => name !== 'Wallets:Read') }, parts.admin);
  await parts.decide(first.approvalId, 'Approved');
  expect(await review(first)).toEqual({ outcome: 'Ended', status: 'Failed' });
  expect((await parts.row(first.id))?.reason).toContain('Wallets:Read');
  expect(await assignmentsOf(someone.userId)).toHaveLength(1);

  await update(own, { operations: CLERK }, parts.admin);
  const second = await ask(permissionId);
  await parts.decide(second.approvalId, 'Approved');
  expect(await review(second)).toEqual({ outcome: 'Ended', status: 'Applied' });

  const third = await ask(await parts.permission(['Wallets:Read']));
  await parts.admin.client.change('PUT', `/auth/users/${clerk.userId}/deactivate`, {});
  await parts.decide(third.approvalId, 'Approved');
  expect(await review(third)).toEqual({ outcome: 'Ended', status: 'Failed' });
  await parts.drop(policyId);
});
