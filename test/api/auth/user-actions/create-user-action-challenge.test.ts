import { createHash } from 'node:crypto';
import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest();

test('200: the challenge commits to organisation, user, credentials, method, path, body and expiry', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const text = '{ "name" : "é" }';
  const { status, body } = await admin.client.announce('PUT', '/keys/k%2F1%20%C3%A9?force=true', text);
  expect(status).toBe(200);
  const answer = body as { challenge: string; challengeIdentifier: string; commitment: object };
  expect(answer).toEqual({
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{64}$/),
    challengeIdentifier: expect.stringMatching(/^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/),
    commitment: expect.any(Object),
    rp: { id: 'localhost', name: 'Strongroom' },
    supportedCredentialKinds: [{ kind: 'Key', factor: 'either', requiresSecondFactor: false }],
    userVerification: 'required',
    attestation: 'direct',
    allowCredentials: { key: [{ type: 'public-key', id: admin.credId }], passwordProtectedKey: [], webauthn: [] },
    externalAuthenticationUrl: '',
  });

  const [row] = await api.database.db
    .read(orgId)
    .select<{ expires: Date; signed: Date | null }>('SELECT date_expires AS expires, date_signed AS signed FROM user_actions');
  // The test writes the JSON by hand, with the members in alphabetical order and without spaces.
  const committed =
    `{"bodySha256":"${sha256(text).toString('hex')}","credentials":["${admin.credId}"],"expires":"${row?.expires.toISOString()}",` +
    `"method":"PUT","org":"${orgId}","path":"/keys/k%2F1%20%C3%A9","user":"${admin.userId}","v":1}`;
  expect(Buffer.from(answer.challenge, 'base64url').subarray(16)).toEqual(sha256(committed));
  expect(answer.commitment).toEqual(JSON.parse(committed));
  expect(row?.signed).toBeNull();
});

test('200: two challenges for one request differ', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  const first = (await admin.client.announce('POST', '/wallets', '{}')).body as { challenge: string };
  const second = (await admin.client.announce('POST', '/wallets', '{}')).body as { challenge: string };
  expect(first.challenge).not.toBe(second.challenge);
});

test('200: a token with its own credential is offered only that credential', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const other = { id: 'cred-01234-56789-0123456789abcdef', credentialId: 'second-key' };
  await api.database.db.withOrg(orgId, async (tx) => {
    await tx.query(
      `INSERT INTO credentials (org_id, id, user_id, kind, credential_id, name, public_key)
       SELECT org_id, $2, user_id, kind, $3, name, public_key FROM credentials WHERE org_id = $1`,
      [orgId, other.id, other.credentialId],
    );
  });
  const idsOf = async () => {
    const { body } = await admin.client.announce('POST', '/wallets', '{}');
    return (body as { allowCredentials: { key: { id: string }[] } }).allowCredentials.key.map(({ id }) => id);
  };
  expect((await idsOf()).sort()).toEqual([admin.credId, other.credentialId].sort());
  await api.database.db.withOrg(orgId, async (tx) => {
    await tx.query('UPDATE access_tokens SET credential_id = $2 WHERE org_id = $1', [orgId, other.id]);
  });
  expect(await idsOf()).toEqual([other.credentialId]);
});

test('401: a user with only inactive credentials cannot sign', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  await api.database.db.withOrg(orgId, (tx) => tx.query('UPDATE credentials SET is_active = false WHERE org_id = $1', [orgId]));
  const { status, body } = await admin.client.announce('POST', '/wallets', '{}');
  expect(status).toBe(401);
  expect(body).toMatchObject({
    error: { id: 'CredentialUnusable', message: 'User does not have a credential that can be used for the application.' },
  });
});

const valid = { userActionHttpMethod: 'POST', userActionHttpPath: '/wallets', userActionPayload: '{}' };
test.each([
  ['userActionHttpPath', { ...valid, userActionHttpPath: '/wallets?x=1' }],
  ['userActionHttpPath', { ...valid, userActionHttpPath: 'wallets' }],
  ['userActionHttpPath', { ...valid, userActionHttpPath: '/wallets/ü' }],
  ['userActionHttpMethod', { ...valid, userActionHttpMethod: 'PATCH' }],
  ['userActionServerKind', { ...valid, userActionServerKind: 'Staff' }],
  ['userActionPayload', { ...valid, userActionPayload: undefined }],
  ['userActionPayload', { ...valid, userActionPayload: 'a\u0000b' }],
  ['userActionPayload', { ...valid, userActionPayload: '\ud800' }],
  ['orgId', { ...valid, orgId: 'or-aaaaa-aaaaa-aaaaaaaaaaaaaaaa' }],
])('400: the error reports an invalid %s, and no row is stored', async (field, announced) => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const { status, body } = await admin.client.post('/auth/action/init', announced);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { id: 'InvalidRequest', details: { issues: [{ path: `body.${field}` }] } } });
  expect(await api.database.db.read(orgId).select('SELECT id FROM user_actions')).toEqual([]);
});
