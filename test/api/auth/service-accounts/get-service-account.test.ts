import { TenantEntity } from '../../../../entities/tenants/tenant.entity';
import { newId } from '../../../../platform/ids';
import { type ProgramApi, startProgramApi, UNKNOWN_USER } from '../../../support/programs';
import { asSuperuser } from '../../../support/roles';

const PATH = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: an account shows each operation that it may carry out, and its token without the secret', async () => {
  const admin = await programs.admin();
  const permissionId = await programs.permissionOf(admin);
  const { id, token } = await programs.account(admin, { permissionId });
  const { status, body } = await admin.client.get(`${PATH}/${id}`);
  expect(status).toBe(200);
  const { accessToken: _shownOnce, ...shown } = token;
  expect(body).toMatchObject({
    userInfo: {
      permissions: expect.arrayContaining(['Wallets:Create', 'Auth:ServiceAccounts:Read']),
      permissionAssignments: [{ permissionId, operations: expect.arrayContaining(['Wallets:Create']) }],
    },
    accessTokens: [shown],
  });
  expect(JSON.stringify(body)).not.toContain('"*"');
});

test('200: an account of an organisation with a tenant shows the tenant', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  const tenantId = newId('tenant');
  await asSuperuser(async (superuser) => {
    await superuser.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [tenantId, TenantEntity.name]);
    await superuser.query('UPDATE organizations SET tenant_id = $1 WHERE id = $2', [tenantId, admin.orgId]);
  }, programs.api.database.name);
  expect((await admin.client.get(`${PATH}/${id}`)).body).toMatchObject({ userInfo: { tenantId } });
});

test('200: an expired token is shown as inactive', async () => {
  const admin = await programs.admin();
  const { id, token, client } = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  expect((await client.get(`${PATH}/${id}`)).body).toMatchObject({ accessTokens: [{ isActive: true }] });
  await programs.expire(admin.orgId, token.tokenId);
  expect((await client.get(`${PATH}/${id}`)).status).toBe(401);
  expect((await admin.client.get(`${PATH}/${id}`)).body).toMatchObject({ accessTokens: [{ isActive: false }] });
});

test('403: without the permission', async () => {
  const orgId = await programs.api.createOrganization();
  const { id } = await programs.account(await programs.admin(orgId));
  const { client } = await programs.api.createPerson(orgId, { operations: ['Auth:Users:Read'] });
  expect((await client.get(`${PATH}/${id}`)).status).toBe(403);
});

test('404: a person, an unknown id and an account of another organisation', async () => {
  const admin = await programs.admin();
  const foreign = await programs.account(await programs.admin());
  for (const id of [admin.userId, UNKNOWN_USER, foreign.id, 'us', '%F0%9F%98%80']) {
    const { status, body } = await admin.client.get(`${PATH}/${id}`);
    expect([id, status, body]).toMatchObject([id, 404, { error: { message: 'service account not found' } }]);
  }
});
