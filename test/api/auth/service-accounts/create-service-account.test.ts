import { createHash, generateKeyPairSync } from 'node:crypto';
import { UserEntity } from '../../../../entities/users/user.entity';
import { firstIssue } from '../../../support/policy-api';
import { type AccountBody, type ProgramApi, pemOf, startProgramApi, UNKNOWN_PERMISSION } from '../../../support/programs';
import { asSuperuser } from '../../../support/roles';

const PATH = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

test('200: the answer contains the account with its token; no later answer and no row contains the secret', async () => {
  const admin = await programs.admin();
  const { id, token, client, ...account } = await programs.account(admin, { name: 'Payroll', externalId: 'erp-1' });
  const secret = client.identity.token;
  expect(account).toEqual({
    userInfo: {
      username: id,
      name: 'Payroll',
      userId: expect.stringMatching(/^us-/),
      kind: 'CustomerEmployee',
      credentialUuid: expect.stringMatching(/^cred-/),
      credentialId: token.credId,
      orgId: admin.orgId,
      permissions: [],
      isActive: true,
      isServiceAccount: true,
      isRegistered: true,
      permissionAssignments: [],
    },
    accessTokens: [
      {
        accessToken: secret,
        dateCreated: expect.any(String),
        credId: token.credId,
        isActive: true,
        kind: 'ServiceAccount',
        linkedUserId: id,
        linkedAppId: '',
        name: 'Payroll',
        orgId: admin.orgId,
        permissionAssignments: [],
        publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
        tokenId: expect.stringMatching(/^to-/),
      },
    ],
  });
  const { accessToken: _shownOnce, ...shown } = token;
  expect((await admin.client.get(`${PATH}/${id}`)).body).toEqual({ ...account, accessTokens: [shown] });
  const rows = await asSuperuser(async (superuser) => {
    const { rows } = await superuser.query<{ row: string }>('SELECT t::text AS row FROM access_tokens t');
    return rows.map(({ row }) => row).join('\n');
  }, programs.api.database.name);
  expect(rows).toContain(createHash('sha256').update(secret).digest('hex'));
  expect(rows).not.toContain(secret.slice(-40));
  expect(programs.api.log.join('\n')).not.toContain(secret.slice(-40));
});

test('200: a new account has no permission, and its row contains the person who created it', async () => {
  const admin = await programs.admin();
  const { id, client } = await programs.account(admin);
  const { status, body } = await client.get(PATH);
  expect(status).toBe(403);
  expect(body).toMatchObject({
    error: { message: `ServiceAccount ${id} is not authorized to perform operation (Auth:ServiceAccounts:Read)` },
  });
  const row = await programs.api.database.db.read(admin.orgId).row(UserEntity, 'WHERE t.id = $1', [id]);
  expect(row).toMatchObject({ createdBy: admin.userId, isServiceAccount: true });
});

test('200: with a permission the account may do what the permission allows, and signs only with its own key', async () => {
  const admin = await programs.admin();
  const permissionId = await programs.permissionOf(admin);
  const { id, client, userInfo, token } = await programs.account(admin, { permissionId });
  expect(userInfo).toMatchObject({ permissionAssignments: [{ permissionId, assignmentId: expect.stringMatching(/^as-/) }] });
  expect(token.permissionAssignments).toHaveLength(1);
  const init = await client.announce('PUT', `${PATH}/${id}`, '{}');
  expect(init.body).toMatchObject({ allowCredentials: { key: [{ type: 'public-key', id: token.credId }] } });
  const changed = await client.change('PUT', `${PATH}/${id}`, { name: `Renamed by ${id}` });
  expect([changed.status, changed.body]).toMatchObject([200, { userInfo: { name: `Renamed by ${id}` } }]);
  // The person who created the account cannot sign with the key of the account.
  expect((await admin.client.announce('PUT', PATH, '{}')).body).toMatchObject({
    allowCredentials: { key: [{ id: admin.credId }] },
  });
});

test('200: an OpenSSH key and every allowed kind of key are accepted, and shown as PEM', async () => {
  const admin = await programs.admin();
  const pairs = [
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
    generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  ];
  for (const [index, keys] of pairs.entries()) {
    const body = { name: `Kind ${index}`, publicKey: pemOf(keys) };
    const answer = await admin.client.change('POST', PATH, body);
    expect([answer.status, answer.body]).toMatchObject([200, { accessTokens: [{ publicKey: pemOf(keys) }] }]);
  }
  const keys = programs.newKeys();
  const { x } = keys.publicKey.export({ format: 'jwk' });
  const fields = [Buffer.from('ssh-ed25519'), Buffer.from(x ?? '', 'base64url')].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  const publicKey = `ssh-ed25519 ${Buffer.concat(fields).toString('base64')} ops@example.com`;
  const answer = await admin.client.change('POST', PATH, { name: 'OpenSSH', publicKey });
  expect((answer.body as AccountBody).accessTokens[0]).toMatchObject({ publicKey: pemOf(keys) });
});

test.each([
  [{ daysValid: 1 }, 86_400],
  [{ daysValid: 730 }, 730 * 86_400],
  [{}, 365 * 86_400],
])('200: with %j the token is valid for %i seconds', async (body, seconds) => {
  const admin = await programs.admin();
  const { token } = await programs.account(admin, body);
  expect(await programs.secondsOf(admin.orgId, token.tokenId)).toBe(seconds);
});

const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
test.each([
  [{ name: '' }, 'body.name'],
  [{ name: undefined }, 'body.name'],
  [{ name: 'x'.repeat(257) }, 'body.name'],
  [{ daysValid: 0 }, 'body.daysValid'],
  [{ daysValid: 731 }, 'body.daysValid'],
  [{ daysValid: 1.5 }, 'body.daysValid'],
  [{ daysValid: '1' }, 'body.daysValid'],
  [{ secondsValid: 60 }, 'body.secondsValid'],
  [{ publicKey: pemOf(weak) }, 'body.publicKey'],
  [{ publicKey: secret }, 'body.publicKey'],
  [{ publicKey: 'ssh-ed25519 AAAA' }, 'body.publicKey'],
  [{ publicKey: undefined }, 'body.publicKey'],
  [{ isActive: false }, 'body.isActive'],
  [{ orgId: 'or-1' }, 'body.orgId'],
])('400: for %j, the error contains the path of the fault', async (set, path) => {
  const { client } = await programs.admin();
  const body = { name: 'Account', publicKey: pemOf(programs.newKeys()), ...set };
  const answer = await client.change('POST', PATH, body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('403: the account is created with a permission, and the caller may not assign permissions', async () => {
  const orgId = await programs.api.createOrganization();
  const admin = await programs.api.createPerson(orgId);
  const person = await programs.api.createPerson(orgId, { operations: ['Auth:ServiceAccounts:Create'] });
  const body = { name: 'Account', publicKey: pemOf(programs.newKeys()) };
  const refused = await person.client.change('POST', PATH, { ...body, permissionId: await programs.permissionOf(admin) });
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: { message: `CustomerEmployee ${person.userId} is not authorized to perform operation (Permissions:Assign)` } },
  ]);
  expect((await person.client.change('POST', PATH, body)).status).toBe(200);
});

test('403: a service account or a personal access token creates a service account', async () => {
  const admin = await programs.admin();
  const permissionId = await programs.permissionOf(admin);
  const account = await programs.account(admin, { permissionId });
  const token = await programs.token(admin);
  for (const { client } of [account, token]) {
    const answer = await client.change('POST', PATH, { name: 'Another', publicKey: pemOf(programs.newKeys()) });
    expect([answer.status, answer.body]).toMatchObject([403, { error: { id: 'Forbidden' } }]);
  }
  expect((await admin.client.get(PATH)).body).toMatchObject({ items: [{ userInfo: { userId: account.id } }] });
});

test('404: the permission is unknown or belongs to another organisation; no account is created, and the user action is not used up', async () => {
  const admin = await programs.admin();
  const foreign = await programs.permissionOf(await programs.admin());
  for (const permissionId of [UNKNOWN_PERMISSION, foreign, 'pm']) {
    const text = JSON.stringify({ name: 'Account', publicKey: pemOf(programs.newKeys()), permissionId });
    const headers = { 'x-svc-useraction': await admin.client.userAction('POST', PATH, text) };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await admin.client.send({ method: 'POST', path: PATH, text, headers });
      expect([answer.status, answer.body]).toMatchObject([404, { error: { message: 'permission not found' } }]);
    }
  }
  expect((await admin.client.get(PATH)).body).toEqual({ items: [] });
});

test('409: another account of the organisation has the name, or a user has the external id', async () => {
  const admin = await programs.admin();
  const { id } = await programs.account(admin, { name: 'Payroll', externalId: 'erp-1' });
  const body = { name: 'Payroll', publicKey: pemOf(programs.newKeys()) };
  const sameName = await admin.client.change('POST', PATH, body);
  expect([sameName.status, sameName.body]).toMatchObject([
    409,
    { error: { id: 'Conflict', message: 'Conflicting service account with same name', details: { name: 'Payroll' } } },
  ]);
  const sameId = await admin.client.change('POST', PATH, { ...body, name: 'Other', externalId: 'erp-1' });
  expect([sameId.status, sameId.body]).toMatchObject([409, { error: { details: { externalId: 'erp-1' } } }]);
  expect((await programs.account(await programs.admin(), { name: 'Payroll' })).userInfo.name).toBe('Payroll');
  // The name of an archived account is free again.
  expect((await admin.client.change('DELETE', `${PATH}/${id}`)).status).toBe(200);
  expect((await admin.client.change('POST', PATH, body)).status).toBe(200);
});
