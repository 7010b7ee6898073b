import { type ProgramApi, startProgramApi } from '../../../support/programs';

const PATH = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: every account of the organisation that is not archived, newest first, with the members that getServiceAccount returns', async () => {
  const admin = await programs.admin();
  await programs.account(await programs.admin());
  const [first, second, third] = [await programs.account(admin), await programs.account(admin), await programs.account(admin)];
  await admin.client.change('PUT', `${PATH}/${first.id}/deactivate`, {});
  await admin.client.change('DELETE', `${PATH}/${second.id}`);
  const items: unknown[] = [];
  for (const { id } of [third, first]) items.push((await admin.client.get(`${PATH}/${id}`)).body);
  const { status, body } = await admin.client.get(PATH);
  expect(status).toBe(200);
  expect(body).toEqual({ items });
  expect(JSON.stringify(body)).not.toContain('"accessToken"');
  expect((await admin.client.get('/auth/service-accounts/')).body).toEqual({ items });
});

test('400: an unknown member of the query', async () => {
  const { client } = await programs.admin();
  expect((await client.get(`${PATH}?kind=Pat`)).status).toBe(400);
});

test('401: without a token', async () => {
  expect((await fetch(`${programs.api.url}${PATH}`)).status).toBe(401);
});

test('403: without the permission', async () => {
  const { client } = await programs.api.createPerson(await programs.api.createOrganization(), {
    operations: ['Auth:Users:Read'],
  });
  expect((await client.get(PATH)).status).toBe(403);
});
