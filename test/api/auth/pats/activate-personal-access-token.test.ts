import { type ProgramApi, startProgramApi, UNKNOWN_TOKEN } from '../../../support/programs';

const PATH = '/auth/pats';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: the token works again as before, and a second activation changes nothing', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.token(admin);
  await admin.client.change('PUT', `${PATH}/${id}/deactivate`, {});
  expect((await client.get(PATH)).status).toBe(401);
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/activate`, {});
    expect([status, body]).toMatchObject([200, { tokenId: id, isActive: true }]);
  }
  expect((await client.get(PATH)).status).toBe(200);
});

test('400: a body that is not empty', async () => {
  const admin = await programs.admin();
  const { id } = await programs.token(admin);
  expect((await admin.client.change('PUT', `${PATH}/${id}/activate`, { force: true })).status).toBe(400);
});

test('404: a token of a colleague, a removed token, which stays removed, and an unknown token', async () => {
  const admin = await programs.admin();
  const theirs = await programs.token(await programs.api.createPerson(admin.orgId));
  const removed = await programs.token(admin);
  await admin.client.change('DELETE', `${PATH}/${removed.id}`);
  for (const id of [theirs.id, removed.id, UNKNOWN_TOKEN]) {
    expect((await admin.client.change('PUT', `${PATH}/${id}/activate`, {})).status).toBe(404);
  }
});

test('409: a token that has expired', async () => {
  const admin = await programs.admin();
  const { id } = await programs.token(admin);
  await programs.expire(admin.orgId, id);
  const { status, body } = await admin.client.change('PUT', `${PATH}/${id}/activate`, {});
  expect([status, body]).toMatchObject([409, { error: { message: 'personal access token has expired' } }]);
});
