import { Client } from '../../../support/client';
import { type SignInApi, startSignInApi } from '../../../support/sign-in-api';

let api: SignInApi;
let orgId: string;
beforeAll(async () => {
  api = await startSignInApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const PATH = '/auth/login/delegated';

const program = (name: string, operations?: readonly string[]) =>
  api.createPerson(orgId, { isServiceAccount: true, name, ...(operations === undefined ? {} : { operations }) });

test('200: the session has the end user’s rights to read, and only the end user can sign changes', async () => {
  const account = await program('reader');
  const user = await api.createPerson(orgId, { kind: 'EndUser', operations: ['Wallets:Read'] });
  const { status, body } = await account.client.change('POST', PATH, { username: user.username });
  expect({ status, body }).toEqual({ status: 200, body: { token: expect.any(String) } });
  const { token } = body as { token: string };

  const asAccount = new Client(api.url, { ...account.client.identity, token });
  expect((await asAccount.get('/wallets')).status).toBe(200);
  expect((await asAccount.get('/auth/users')).status).toBe(403);
  const { challenge, challengeIdentifier } = (await asAccount.announce('POST', '/wallets', '{}')).body as {
    challenge: string;
    challengeIdentifier: string;
  };
  const signed = (client: Client) =>
    asAccount.post('/auth/action', { challengeIdentifier, firstFactor: client.factor(challenge) });
  expect((await signed(account.client)).status).toBe(401);
  expect((await signed(user.client)).status).toBe(200);
});

test('400: the end user is deactivated', async () => {
  const account = await program('for a deactivated end user');
  const user = await api.createPerson(orgId, { kind: 'EndUser' });
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [user.userId]);
  expect(await account.client.change('POST', PATH, { username: user.username })).toMatchObject({
    status: 400,
    body: { error: { id: 'UserDeactivated', message: 'User account has been deactivated.' } },
  });
});

test('400: a body without a name', async () => {
  const account = await program('without a name');
  expect(await account.client.change('POST', PATH, {})).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
});

test('401: an unknown name, an employee, a program, an end user who is unregistered or belongs to another organisation', async () => {
  const account = await program('for others');
  const unregistered = await api.createPerson(orgId, { kind: 'EndUser' });
  await api.change(orgId, 'UPDATE users SET is_registered = false WHERE org_id = $1 AND id = $2', [unregistered.userId]);
  const others = [
    { username: 'nobody@example.com' },
    await api.createPerson(orgId),
    account,
    unregistered,
    await api.createPerson(await api.createOrganization(), { kind: 'EndUser' }),
  ];
  for (const { username } of others) {
    expect(await account.client.change('POST', PATH, { username })).toMatchObject({
      status: 401,
      body: { error: { id: 'UserNotFound', status: 401, message: 'User not found' } },
    });
  }
});

test('403: an employee, an end user, a program without the permission', async () => {
  const user = await api.createPerson(orgId, { kind: 'EndUser' });
  const callers = [await api.createPerson(orgId), user, await program('without permission', ['Wallets:Read'])];
  for (const { client } of callers) {
    expect(await client.change('POST', PATH, { username: user.username })).toMatchObject({
      status: 403,
      body: { error: { id: 'Forbidden', message: expect.stringMatching(/\(Auth:Login:Delegated\)$/) } },
    });
  }
});
