import { generateKeyPairSync, sign } from 'node:crypto';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { Client } from '../../../support/client';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

type Challenge = { challenge: string; challengeIdentifier: string };
type Factor = {
  kind: string;
  credentialAssertion: { credId: string; clientData: string; signature: string; algorithm?: string };
};
const policy = (name: string) => ({
  name,
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'Block' },
});

const announce = async (person: Person, text = '{}') =>
  (await person.client.announce('POST', '/v2/policies', text)).body as Challenge;
const exchange = (person: Person, challengeIdentifier: string, firstFactor: unknown) =>
  person.client.post('/auth/action', { challengeIdentifier, firstFactor });

test.each([
  ['Ed25519', () => generateKeyPairSync('ed25519')],
  ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['secp256k1', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
  ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
])('200: a %s credential authorises a change', async (_name, makeKeys) => {
  const admin = await api.createPerson(await api.createOrganization(), { keys: makeKeys() });
  const { status, body } = await admin.client.change('POST', '/v2/policies', policy('by key'));
  expect(body).toMatchObject({ name: 'by key', status: 'Active' });
  expect(status).toBe(200);
});

test('200: the evidence is stored with the action exactly as it was received', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const { challenge, challengeIdentifier } = await announce(admin);
  const factor = admin.client.factor(challenge, { origin: 'https://custody.example', crossOrigin: false }) as Factor;
  expect((await exchange(admin, challengeIdentifier, factor)).status).toBe(200);
  const [row] = await api.database.db
    .read(orgId)
    .select('SELECT credential_uuid, client_data, signature, date_consumed, public_key FROM user_actions');
  expect(row).toEqual({
    credential_uuid: admin.credentialUuid,
    client_data: factor.credentialAssertion.clientData,
    signature: factor.credentialAssertion.signature,
    date_consumed: null,
    public_key: expect.stringContaining('BEGIN PUBLIC KEY'),
  });
});

test.each([
  ['an octet string', '0440'],
  ['a bit string', '034100'],
])('200: an Ed25519 signature wrapped into %s is accepted', async (_name, header) => {
  const admin = await api.createPerson(await api.createOrganization());
  const { challenge, challengeIdentifier } = await announce(admin);
  const factor = admin.client.factor(challenge) as Factor;
  const raw = Buffer.from(factor.credentialAssertion.signature, 'base64url').toString('hex');
  factor.credentialAssertion.signature = Buffer.from(header + raw, 'hex').toString('base64url');
  expect((await exchange(admin, challengeIdentifier, factor)).status).toBe(200);
});

test('200: SHA-512 is used if the assertion specifies SHA512', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const admin = await api.createPerson(await api.createOrganization(), { keys });
  const { challenge, challengeIdentifier } = await announce(admin);
  const factor = admin.client.factor(challenge) as Factor;
  const data = Buffer.from(factor.credentialAssertion.clientData, 'base64url');
  factor.credentialAssertion.signature = sign('sha512', data, keys.privateKey).toString('base64url');
  expect((await exchange(admin, challengeIdentifier, factor)).status).toBe(401);
  factor.credentialAssertion.algorithm = 'SHA512';
  expect((await exchange(admin, challengeIdentifier, factor)).status).toBe(200);
});

test('400: one challenge is exchanged 40 times in parallel, and exactly one exchange succeeds', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  const { challenge, challengeIdentifier } = await announce(admin);
  const factor = admin.client.factor(challenge);
  const answers = await Promise.all(Array.from({ length: 40 }, () => exchange(admin, challengeIdentifier, factor)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(400)]);
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
    error: { id: 'ChallengeInvalid', status: 400, message: 'Challenge token is not valid.' },
  });
});

test('401: the signature is over different content or by a different key; the challenge stays usable', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  const { challenge, challengeIdentifier } = await announce(admin);
  const stranger = new Client(api.url, { ...admin, privateKey: generateKeyPairSync('ed25519').privateKey });
  const other = (await announce(admin)).challenge;
  const twice = Buffer.from(`{"type":"key.get","challenge":"${other}","challenge":"${challenge}"}`);
  const wrong: unknown[] = [
    stranger.factor(challenge),
    admin.client.factor(other),
    admin.client.factor(challenge, { type: 'key.create' }),
    admin.client.factor(challenge, { crossOrigin: true }),
    admin.client.factor(Buffer.from(challenge).toString('base64url')),
    {
      kind: 'Key',
      credentialAssertion: {
        credId: admin.credId,
        clientData: twice.toString('base64url'),
        signature: sign(null, twice, admin.privateKey).toString('base64url'),
      },
    },
  ];
  for (const factor of wrong) {
    const { status, body } = await exchange(admin, challengeIdentifier, factor);
    expect({ status, body }).toMatchObject({ status: 401, body: { error: { id: 'Unauthorized', message: 'Not Authorized.' } } });
  }
  expect((await exchange(admin, challengeIdentifier, admin.client.factor(challenge))).status).toBe(200);
});

test('401: the credential belongs to a colleague', async () => {
  const orgId = await api.createOrganization();
  const [admin, colleague] = [await api.createPerson(orgId), await api.createPerson(orgId)];
  const { challenge, challengeIdentifier } = await announce(admin);
  const { status, body } = await exchange(admin, challengeIdentifier, colleague.client.factor(challenge));
  expect({ status, body }).toMatchObject({ status: 401, body: { error: { id: 'CredentialUnusable' } } });
});

test('401: the credential was deactivated after the action was announced', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const { challenge, challengeIdentifier } = await announce(admin);
  await api.database.db.withOrg(orgId, (tx) => tx.query('UPDATE credentials SET is_active = false WHERE org_id = $1', [orgId]));
  expect((await exchange(admin, challengeIdentifier, admin.client.factor(challenge))).status).toBe(401);
});

test('400: the challenge belongs to another user or has expired, or the token is not a challenge token', async () => {
  const orgId = await api.createOrganization();
  const [admin, colleague, stranger] = [
    await api.createPerson(orgId),
    await api.createPerson(orgId),
    await api.createPerson(await api.createOrganization()),
  ];
  const mine = await announce(admin);
  const expired = await announce(admin);
  await api.database.db.withOrg(orgId, (tx) =>
    tx.query(`UPDATE user_actions SET date_expires = clock_timestamp() WHERE org_id = $1 AND challenge = $2`, [
      orgId,
      expired.challenge,
    ]),
  );
  const attempts: [Person, string, string][] = [
    [colleague, mine.challengeIdentifier, mine.challenge],
    [stranger, mine.challengeIdentifier, mine.challenge],
    [admin, admin.token, mine.challenge],
    [admin, `${mine.challengeIdentifier}x`, mine.challenge],
    [admin, 'a.b.c', mine.challenge],
    [admin, expired.challengeIdentifier, expired.challenge],
  ];
  for (const [person, identifier, challenge] of attempts) {
    const { status, body } = await exchange(person, identifier, person.client.factor(challenge));
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { message: 'Challenge token is not valid.' } } });
  }
});

test.each([
  ['body.firstFactor.kind', (factor: Factor) => ({ ...factor, kind: 'RecoveryKey' })],
  ['body.firstFactor.credentialAssertion.authenticatorData', (factor: Factor) => ({ ...factor, kind: 'Fido2' })],
  ['body.firstFactor.credentialAssertion', (factor: Factor) => ({ kind: factor.kind })],
  [
    'body.firstFactor.credentialAssertion.signature',
    (factor: Factor) => ({ ...factor, credentialAssertion: { ...factor.credentialAssertion, signature: '!' } }),
  ],
  [
    'body.firstFactor.credentialAssertion.algorithm',
    (factor: Factor) => ({ ...factor, credentialAssertion: { ...factor.credentialAssertion, algorithm: 'MD5' } }),
  ],
])('400: the error reports an invalid %s', async (path, spoil) => {
  const admin = await api.createPerson(await api.createOrganization());
  const { challenge, challengeIdentifier } = await announce(admin);
  const { status, body } = await exchange(admin, challengeIdentifier, spoil(admin.client.factor(challenge) as Factor));
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { details: { issues: [{ path }] } } } });
});

test('401: a key of small order was written into the database, and its signature is not accepted', async () => {
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId);
  const identity = Buffer.alloc(32);
  identity[0] = 1;
  const pem = `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), identity]).toString('base64')}\n-----END PUBLIC KEY-----\n`;
  await api.database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE credentials SET public_key = $2 WHERE org_id = $1', [orgId, pem]),
  );
  const { challenge, challengeIdentifier } = await announce(admin);
  const factor = admin.client.factor(challenge) as Factor;
  // R is the identity and S is zero, which is a valid signature of every message under the identity key.
  factor.credentialAssertion.signature = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64url');
  const { status, body } = await exchange(admin, challengeIdentifier, factor);
  expect({ status, body }).toMatchObject({ status: 401, body: { error: { id: 'Unauthorized' } } });
});
