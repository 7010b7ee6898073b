import type { Person } from '../../../support/api';
import { challengeOf, type RecoveryApi, startRecoveryApi } from '../../../support/recovery-api';

let api: RecoveryApi;
let orgId: string;
let program: Person;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
  program = await api.createPerson(orgId, { isServiceAccount: true, name: 'program' });
});
afterAll(() => api?.close());

const PATH = '/auth/recover/user/delegated';
const begin = ({ client }: Person, body: unknown) => client.change('POST', PATH, body);

test('200: the end user recovers without a mailed code, and the row contains the program that began the recovery', async () => {
  const user = await api.createRecoverable(orgId, { kind: 'EndUser' });
  const { status, body } = await begin(program, { username: user.username, credentialId: user.recoveryKey.credId });
  expect(status).toBe(200);
  const challenge = body as { challenge: string; temporaryAuthenticationToken: string };
  expect(challenge).toMatchObject({
    user: { id: user.userId, name: user.username },
    allowedRecoveryCredentials: [{ id: user.recoveryKey.credId, encryptedRecoveryKey: user.recoveryKey.encryptedPrivateKey }],
  });
  const { newCredentials } = api.renew(challenge);
  const recovery = user.recoveryKey.assert(challengeOf(newCredentials));
  expect((await api.complete(challenge.temporaryAuthenticationToken, newCredentials, recovery)).status).toBe(200);
  const [row] = await api.db
    .read(orgId)
    .select<{ begunBy: string; status: string }>('SELECT begun_by AS "begunBy", status FROM recoveries WHERE user_id = $1', [
      user.userId,
    ]);
  expect(row).toEqual({ begunBy: program.userId, status: 'Applied' });
});

test('400: the end user is deactivated', async () => {
  const user = await api.createRecoverable(orgId, { kind: 'EndUser' });
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [user.userId]);
  expect(await begin(program, { username: user.username, credentialId: user.recoveryKey.credId })).toMatchObject({
    status: 400,
    body: { error: { id: 'UserDeactivated' } },
  });
});

test('400: a body without a name, without a credential, or with an unknown member', async () => {
  for (const body of [{ username: 'x' }, { credentialId: 'x' }, { username: 'x', credentialId: 'x', orgId }]) {
    expect(await begin(program, body)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  }
});

test('401: an unknown name, an employee, an end user of another organisation', async () => {
  const others = [
    await api.createRecoverable(orgId),
    await api.createRecoverable(await api.createOrganization(), { kind: 'EndUser' }),
  ];
  const asked = [
    { username: 'nobody@example.com', credentialId: 'AAAA' },
    ...others.map(({ username, recoveryKey }) => ({ username, credentialId: recoveryKey.credId })),
  ];
  for (const body of asked) {
    expect(await begin(program, body)).toMatchObject({
      status: 401,
      body: { error: { id: 'UserNotFound', message: 'User not found' } },
    });
  }
});

test('401: a credential that cannot be used for recovery', async () => {
  const user = await api.createRecoverable(orgId, { kind: 'EndUser' });
  for (const credentialId of [user.credId, 'AAAA']) {
    expect(await begin(program, { username: user.username, credentialId })).toMatchObject({
      status: 401,
      body: { error: { id: 'CredentialUnusable', message: 'Credential cannot be used as a recovery factor.' } },
    });
  }
});

test('403: an employee, an end user, a program without the permission', async () => {
  const user = await api.createRecoverable(orgId, { kind: 'EndUser' });
  const bare = await api.createPerson(orgId, { isServiceAccount: true, name: 'bare', operations: ['Wallets:Read'] });
  for (const caller of [await api.createPerson(orgId), user, bare]) {
    expect(await begin(caller, { username: user.username, credentialId: user.recoveryKey.credId })).toMatchObject({
      status: 403,
      body: { error: { id: 'Forbidden', message: expect.stringMatching(/\(Auth:Recover:Delegated\)$/) } },
    });
  }
});
