import { type ProgramApi, startProgramApi, UNKNOWN_USER } from '../../../support/programs';

const PATH = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: the token of the account works again, and a second activation changes nothing', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  await admin.client.change('PUT', `${PATH}/${id}/deactivate`, {});
  expect((await client.get(PATH)).status).toBe(400);
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/activate`, {});
    expect([status, body]).toMatchObject([200, { userInfo: { isActive: true }, accessTokens: [{ isActive: true }] }]);
  }
  expect((await client.get(PATH)).status).toBe(200);
  expect((await admin.client.change('PUT', `${PATH}/${id}/activate`)).status).toBe(200);
});

test('400: a body that is not empty', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  expect((await admin.client.change('PUT', `${PATH}/${id}/activate`, { force: true })).status).toBe(400);
});

test('403: without the permission, and by a personal access token, whatever its user may do', async () => {
  const orgId = await programs.api.createOrganization();
  const admin = await programs.admin(orgId);
  const { id } = await programs.account(admin);
  const person = await programs.api.createPerson(orgId, { operations: ['Auth:ServiceAccounts:Deactivate'] });
  for (const { client } of [person, await programs.token(admin)]) {
    const { status, body } = await client.change('PUT', `${PATH}/${id}/activate`, {});
    expect([status, body]).toMatchObject([403, { error: { id: 'Forbidden' } }]);
  }
});

test('404: an unknown id, an archived account, which stays archived, and an account of another organisation', async () => {
  const admin = await programs.admin();
  const archived = await programs.account(admin);
  await admin.client.change('DELETE', `${PATH}/${archived.id}`);
  const foreign = await programs.account(await programs.admin());
  for (const id of [UNKNOWN_USER, archived.id, foreign.id, admin.userId]) {
    expect((await admin.client.change('PUT', `${PATH}/${id}/activate`, {})).status).toBe(404);
  }
});
