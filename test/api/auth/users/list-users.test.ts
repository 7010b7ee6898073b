import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

type Users = { items: { userId: string; kind: string }[]; nextPageToken?: string };

test('200: each user of the organisation is on exactly one page, newest first, and no user of another organisation is listed', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const others = [
    await api.createPerson(orgId),
    await api.createPerson(orgId, { kind: 'EndUser' }),
    await api.createPerson(orgId),
  ];
  await api.createPerson(await api.createOrganization());

  const seen: string[] = [];
  for (let token = ''; ; ) {
    const { status, body } = await admin.client.get(`/auth/users?limit=3${token}`);
    expect(status).toBe(200);
    const page = body as Users;
    seen.push(...page.items.map(({ userId }) => userId));
    if (page.nextPageToken === undefined) break;
    token = `&paginationToken=${encodeURIComponent(page.nextPageToken)}`;
  }
  expect(seen).toEqual([admin, ...others].map(({ userId }) => userId).reverse());
});

test('200: the kind filters the list', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const customer = await api.createPerson(orgId, { kind: 'EndUser' });
  const { body } = await admin.client.get('/auth/users?kind=EndUser');
  expect((body as Users).items.map(({ userId }) => userId)).toEqual([customer.userId]);
});

test.each([
  ['limit=501', 'query.limit'],
  ['limit=0', 'query.limit'],
  ['limit=1e2', 'query.limit'],
  ['limit=5&limit=6', 'query.limit'],
  ['kind=Nobody', 'query.kind'],
  ['kind=EndUser&kind=EndUser', 'query.kind'],
  ['paginationToken=zzz', 'query.paginationToken'],
  ['paginationToken=', 'query.paginationToken'],
  ['paginationToken=%00', 'query.paginationToken'],
  ['kinds=EndUser', 'query.kinds'],
  ['__proto__=1', 'query.__proto__'],
])('400: for %s, the error contains the name of the member', async (query, path) => {
  const admin = await api.createPerson(await api.createOrganization());
  const { status, body } = await admin.client.get(`/auth/users?${query}`);
  expect(status).toBe(400);
  expect((body as { error: { details: { issues: { path: string }[] } } }).error.details.issues[0]?.path).toBe(path);
});

test('403: without Auth:Users:Read, and the message contains caller and operation', async () => {
  const reader = await api.createPerson(await api.createOrganization(), { operations: ['Wallets:Read'] });
  const { status, body } = await reader.client.get('/auth/users');
  expect(status).toBe(403);
  expect(body).toEqual({
    error: {
      id: 'Forbidden',
      status: 403,
      message: `CustomerEmployee ${reader.userId} is not authorized to perform operation (Auth:Users:Read)`,
    },
  });
});

test('403: the caller is an end user, whatever the permissions of the end user allow', async () => {
  const customer = await api.createPerson(await api.createOrganization(), { kind: 'EndUser' });
  expect((await customer.client.get('/auth/users')).status).toBe(403);
});
