import { type ProgramApi, startProgramApi } from '../../../support/programs';

const PATH = '/auth/pats';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test("200: only the caller's own tokens, newest first, with deactivated tokens and without archived ones", async () => {
  const admin = await programs.admin();
  const colleague = await programs.api.createPerson(admin.orgId);
  await programs.token(colleague);
  await programs.account(admin);
  const [first, second, third] = [await programs.token(admin), await programs.token(admin), await programs.token(admin)];
  await admin.client.change('PUT', `${PATH}/${first.id}/deactivate`, {});
  await admin.client.change('DELETE', `${PATH}/${second.id}`);
  const items: unknown[] = [];
  for (const { id } of [third, first]) items.push((await admin.client.get(`${PATH}/${id}`)).body);
  const { status, body } = await admin.client.get(PATH);
  expect([status, body]).toEqual([200, { items }]);
  expect(JSON.stringify(body)).not.toContain('"accessToken"');
  expect((await third.client.get(PATH)).body).toEqual({ items });
});

test('200: a service account has no personal access tokens, although its creator has one', async () => {
  const admin = await programs.admin();
  await programs.token(admin);
  const { client } = await programs.account(admin);
  const { status, body } = await client.get(PATH);
  expect([status, body]).toEqual([200, { items: [] }]);
});

test('400: an unknown member of the query', async () => {
  const { client } = await programs.admin();
  expect((await client.get(`${PATH}?userId=us-1`)).status).toBe(400);
});

test('401: without a token', async () => {
  expect((await fetch(`${programs.api.url}${PATH}`)).status).toBe(401);
});
