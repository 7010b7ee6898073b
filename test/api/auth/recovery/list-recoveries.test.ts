import { type RecoveryApi, startRecoveryApi } from '../../../support/recovery-api';

let api: RecoveryApi;
beforeAll(async () => {
  api = await startRecoveryApi();
});
afterAll(() => api?.close());

type List = { readonly items: readonly { readonly id: string; readonly userId: string }[]; readonly nextPageToken?: string };

test('200: a person sees only their own recoveries, and a full administrator sees all recoveries of the organisation', async () => {
  const orgId = await api.createOrganization();
  await api.setWait(orgId, 24);
  const admin = await api.createPerson(orgId);
  const first = await api.createRecoverable(orgId, { operations: [] });
  const second = await api.createRecoverable(orgId, { kind: 'EndUser', operations: ['Auth:Users:Read'] });
  const foreigner = await api.createPerson(await api.createOrganization());
  await api.recover(first);
  await api.recover(second);
  const listOf = async (client: typeof admin.client) => {
    const { status, body } = await client.get('/auth/recover/user');
    expect(status).toBe(200);
    return (body as List).items.map(({ userId }) => userId);
  };
  expect(await listOf(first.client)).toEqual([first.userId]);
  expect(await listOf(second.client)).toEqual([second.userId]);
  expect(await listOf(admin.client)).toEqual([second.userId, first.userId]);
  expect(await listOf(foreigner.client)).toEqual([]);

  const page = (await admin.client.get('/auth/recover/user?limit=1')).body as List;
  expect(page.items).toEqual([
    {
      id: expect.stringMatching(/^rcv-/),
      userId: second.userId,
      username: second.username,
      kind: 'RecoveryKey',
      status: 'Waiting',
      dateCreated: expect.any(String),
      dateEffective: expect.any(String),
    },
  ]);
  const next = (await admin.client.get(`/auth/recover/user?limit=1&paginationToken=${page.nextPageToken}`)).body as List;
  expect(next.items.map(({ userId }) => userId)).toEqual([first.userId]);
  expect(next.nextPageToken).toBeUndefined();
});

test('400: a limit or a page token that is not valid', async () => {
  const person = await api.createPerson(await api.createOrganization());
  for (const query of ['limit=0', 'limit=501', 'paginationToken=x', 'userId=us-x']) {
    expect((await person.client.get(`/auth/recover/user?${query}`)).status).toBe(400);
  }
});
