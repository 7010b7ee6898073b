import { firstIssue } from '../../../support/policy-api';
import { type ProgramApi, startProgramApi, UNKNOWN_USER } from '../../../support/programs';

const PATH = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: only the sent members change, and the token stays valid', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.account(admin, { name: 'Before', permissionId: await programs.permissionOf(admin) });
  const renamed = await admin.client.change('PUT', `${PATH}/${id}`, { name: 'After' });
  expect([renamed.status, renamed.body]).toMatchObject([200, { userInfo: { name: 'After', userId: id } }]);
  expect((await admin.client.change('PUT', `${PATH}/${id}`, { externalId: 'erp-1' })).status).toBe(200);
  expect((await client.change('PUT', `${PATH}/${id}`, {})).body).toMatchObject({ userInfo: { name: 'After' } });
  // The account keeps its own name without a conflict.
  expect((await admin.client.change('PUT', `${PATH}/${id}`, { name: 'After', externalId: 'erp-1' })).status).toBe(200);
});

test.each([
  [{ name: '' }, 'body.name'],
  [{ name: null }, 'body.name'],
  [{ externalId: '' }, 'body.externalId'],
  [{ isActive: true }, 'body.isActive'],
  [{ kind: 'EndUser' }, 'body.kind'],
])('400: for %j, the error contains the path of the fault', async (body, path) => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin);
  const answer = await admin.client.change('PUT', `${PATH}/${id}`, body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('403: without the permission', async () => {
  const orgId = await programs.api.createOrganization();
  const { id } = await programs.account(await programs.admin(orgId));
  const { client } = await programs.api.createPerson(orgId, { operations: ['Auth:ServiceAccounts:Read'] });
  expect((await client.change('PUT', `${PATH}/${id}`, { name: 'Mine' })).status).toBe(403);
});

test('404: a person, an unknown id, an archived account and an account of another organisation', async () => {
  const admin = await programs.admin();
  const archived = await programs.account(admin);
  await admin.client.change('DELETE', `${PATH}/${archived.id}`);
  const foreign = await programs.account(await programs.admin());
  for (const id of [admin.userId, UNKNOWN_USER, archived.id, foreign.id]) {
    expect((await admin.client.change('PUT', `${PATH}/${id}`, { name: 'Mine' })).status).toBe(404);
  }
});

test('409: the name or the external id is already in use, and nothing changes', async () => {
  const admin = await programs.admin();
  await programs.account(admin, { name: 'Taken', externalId: 'taken' });
  const { id } = await programs.account(admin, { name: 'Free' });
  for (const body of [{ name: 'Taken' }, { name: 'New', externalId: 'taken' }]) {
    const answer = await admin.client.change('PUT', `${PATH}/${id}`, body);
    expect([answer.status, answer.body]).toMatchObject([409, { error: { id: 'Conflict' } }]);
  }
  expect((await admin.client.get(`${PATH}/${id}`)).body).toMatchObject({ userInfo: { name: 'Free' } });
});
