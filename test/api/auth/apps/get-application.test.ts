import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const firstOf = async (orgId: string) => {
  const { client } = await api.createPerson(orgId);
  const { body } = await client.get('/auth/apps');
  const [item] = (body as { items: { appId: string }[] }).items;
  if (!item) throw new Error('the list has no page');
  return { client, item };
};

test('200: a web page is returned as in the list', async () => {
  const { client, item } = await firstOf(await api.createOrganization());
  const { status, body } = await client.get(`/auth/apps/${item.appId}`);
  expect([status, body]).toEqual([200, item]);
  expect(item.appId).toMatch(/^ap-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/);
  expect((await client.get(`/auth/apps/${item.appId.replace('ap-', 'app-')}`)).body).toEqual(item);
});

test('404: a web page of another organisation and an unknown id', async () => {
  const { client } = await firstOf(await api.createOrganization());
  const { item: foreign } = await firstOf(await api.createOrganization());
  for (const id of [foreign.appId, 'ap-00000-00000-0000000000000000', 'app-00000-00000-0000000000000000', 'app', '%20']) {
    const { status, body } = await client.get(`/auth/apps/${id}`);
    expect([id, status, body]).toMatchObject([id, 404, { error: { message: 'application not found' } }]);
  }
});
