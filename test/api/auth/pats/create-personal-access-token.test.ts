import { createHash } from 'node:crypto';
import { PermissionEntity } from '../../../../entities/permissions/permission.entity';
import { firstIssue } from '../../../support/policy-api';
import { type ProgramApi, pemOf, startProgramApi, UNKNOWN_PERMISSION } from '../../../support/programs';
import { asSuperuser } from '../../../support/roles';

const PATH = '/auth/pats';
const ACCOUNTS = '/auth/service-accounts';

let programs: ProgramApi;
beforeAll(async () => {
  programs = await startProgramApi();
});
afterAll(() => programs?.close());

const newBody = (name = 'Laptop') => ({ name, publicKey: pemOf(programs.newKeys()) });

test('200: the answer contains the token; no later answer and no row contains its secret', async () => {
  const admin = await programs.admin();
  const permissionId = await programs.permissionOf(admin);
  const { id, client, ...token } = await programs.token(admin, { name: 'Laptop', externalId: 'asset-1' });
  const secret = client.identity.token;
  expect(token).toEqual({
    accessToken: secret,
    dateCreated: expect.any(String),
    credId: client.identity.credId,
    isActive: true,
    kind: 'Pat',
    linkedUserId: admin.userId,
    linkedAppId: '',
    name: 'Laptop',
    orgId: admin.orgId,
    publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
    tokenId: id,
    permissionAssignments: [
      {
        permissionId,
        permissionName: expect.any(String),
        assignmentId: expect.stringMatching(/^as-/),
        operations: expect.arrayContaining(['Wallets:Create']),
      },
    ],
  });
  const { accessToken: _shownOnce, ...shown } = token;
  expect((await admin.client.get(`${PATH}/${id}`)).body).toEqual(shown);
  const rows = await asSuperuser(async (superuser) => {
    const { rows: found } = await superuser.query<{ row: string }>('SELECT t::text AS row FROM access_tokens t');
    return found.map(({ row }) => row).join('\n');
  }, programs.api.database.name);
  expect(rows).toContain(createHash('sha256').update(secret).digest('hex'));
  expect(rows).not.toContain(secret.slice(-40));
  expect(programs.api.log.join('\n')).not.toContain(secret.slice(-40));
});

test('200: a token without a permission has the current rights of its user, and signs only with its own key', async () => {
  const admin = await programs.admin();
  const { client, credId } = await programs.token(admin);
  const { body } = await client.announce('POST', ACCOUNTS, '{}');
  expect(body).toMatchObject({ allowCredentials: { key: [{ id: credId }] } });
  expect((body as { allowCredentials: { key: object[] } }).allowCredentials.key).toHaveLength(1);
  expect((await client.get(ACCOUNTS)).status).toBe(200);
  await programs.api.database.db.withOrg(admin.orgId, (tx) =>
    tx.query('DELETE FROM permission_assignments WHERE org_id = $1 AND user_id = $2', [admin.orgId, admin.userId]),
  );
  expect((await client.get(ACCOUNTS)).status).toBe(403);
});

test('200: a token with a permission may do what both permission and user allow, until the permission is archived', async () => {
  // A permission may give a token more rights than the user has only if the organisation allows such grants.
  const orgId = await programs.api.createOrganization({ grantBeyondOwnRights: true });
  const other = await programs.api.createPerson(orgId, { operations: ['Auth:ServiceAccounts:Read', 'Auth:Users:Read'] });
  const permissionId = await programs.permissionOf(other);
  const operations = ['Auth:Pats:Create', 'Permissions:Assign', 'Auth:ServiceAccounts:Read', 'Wallets:Read'];
  const person = await programs.api.createPerson(orgId, { operations });
  const { client, permissionAssignments } = await programs.token(person, { permissionId });
  expect(permissionAssignments).toMatchObject([{ permissionId, operations: ['Auth:ServiceAccounts:Read', 'Auth:Users:Read'] }]);
  expect((await client.get(ACCOUNTS)).status).toBe(200);
  // The user may not read users, and the permission does not cover wallets.
  expect((await client.get('/auth/users')).status).toBe(403);
  expect((await client.get('/wallets')).status).toBe(403);
  // The user does not get the rights of the token.
  expect((await person.client.get('/auth/users')).status).toBe(403);
  await programs.api.database.db.withOrg(orgId, (tx) =>
    tx.update(PermissionEntity, { id: permissionId }, { status: 'Archived' }),
  );
  expect((await client.get(ACCOUNTS)).status).toBe(403);
  expect((await person.client.get(ACCOUNTS)).status).toBe(200);
});

test('200: an end user can create tokens too', async () => {
  const orgId = await programs.api.createOrganization();
  const person = await programs.api.createPerson(orgId, { kind: 'EndUser', operations: ['Auth:Pats:Create'] });
  expect(await programs.token(person)).toMatchObject({ kind: 'Pat' });
});

test.each([
  [{ daysValid: 1 }, 86_400],
  [{ daysValid: 730 }, 730 * 86_400],
  [{ secondsValid: 1 }, 1],
  [{ secondsValid: 730 * 86_400 }, 730 * 86_400],
  [{ secondsValid: 90, daysValid: 700 }, 90],
  [{}, 365 * 86_400],
])('200: with %j the token is valid for %i seconds', async (body, seconds) => {
  const admin = await programs.admin();
  const { id } = await programs.token(admin, body);
  expect(await programs.secondsOf(admin.orgId, id)).toBe(seconds);
});

test('200: a token is refused after it expires by the clock of the database, and after its user is deactivated', async () => {
  const admin = await programs.admin();
  const [expiring, staying] = [await programs.token(admin), await programs.token(admin)];
  expect((await expiring.client.get(PATH)).status).toBe(200);
  await programs.expire(admin.orgId, expiring.id);
  const { status, body } = await expiring.client.get(PATH);
  expect([status, body]).toMatchObject([401, { error: { message: 'Not Authorized.' } }]);
  expect((await admin.client.get(`${PATH}/${expiring.id}`)).body).toMatchObject({ isActive: false });
  expect((await staying.client.get(PATH)).status).toBe(200);
  await programs.api.database.db.withOrg(admin.orgId, (tx) =>
    tx.query('UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [admin.orgId, admin.userId]),
  );
  const refused = await staying.client.get(PATH);
  expect([refused.status, refused.body]).toMatchObject([400, { error: { message: 'User account has been deactivated.' } }]);
});

test('200: of forty uses of one user action, exactly one creates a token', async () => {
  const admin = await programs.admin();
  const text = JSON.stringify(newBody());
  const headers = { 'x-svc-useraction': await admin.client.userAction('POST', PATH, text) };
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => admin.client.send({ method: 'POST', path: PATH, text, headers })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 39 }, () => 400)]);
  expect((await admin.client.get(PATH)).body).toMatchObject({ items: [{ name: 'Laptop' }] });
});

test('200: of forty simultaneous requests for a token with one name, exactly one creates a token', async () => {
  const admin = await programs.admin();
  const answers = await Promise.all(Array.from({ length: 40 }, () => admin.client.change('POST', PATH, newBody('Same'))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 39 }, () => 409)]);
});

test.each([
  [{ name: '' }, 'body.name'],
  [{ daysValid: 0 }, 'body.daysValid'],
  [{ daysValid: 731 }, 'body.daysValid'],
  [{ secondsValid: 0 }, 'body.secondsValid'],
  [{ secondsValid: 730 * 86_400 + 1 }, 'body.secondsValid'],
  [{ secondsValid: 0.5 }, 'body.secondsValid'],
  [{ publicKey: '' }, 'body.publicKey'],
  [{ publicKey: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' }, 'body.publicKey'],
  [{ userId: 'us-1' }, 'body.userId'],
  [{ kind: 'ServiceAccount' }, 'body.kind'],
])('400: for %j, the error contains the path of the fault', async (set, path) => {
  const { client } = await programs.admin();
  const answer = await client.change('POST', PATH, { ...newBody(), ...set });
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('401: a token signs with the key of another token or of its user', async () => {
  const admin = await programs.admin();
  const [first, second] = [await programs.token(admin), await programs.token(admin)];
  const init = await first.client.announce('PUT', `${PATH}/${first.id}`, '{}');
  const { challenge, challengeIdentifier } = init.body as { challenge: string; challengeIdentifier: string };
  for (const { factor } of [second.client, admin.client].map((client) => ({ factor: client.factor(challenge) }))) {
    expect((await first.client.post('/auth/action', { challengeIdentifier, firstFactor: factor })).status).toBe(401);
  }
  const firstFactor = first.client.factor(challenge);
  expect((await second.client.post('/auth/action', { challengeIdentifier, firstFactor })).status).toBe(400);
  expect((await first.client.post('/auth/action', { challengeIdentifier, firstFactor })).status).toBe(200);
});

test('403: a personal access token or a service account creates a token', async () => {
  const admin = await programs.admin();
  const token = await programs.token(admin);
  const account = await programs.account(admin, { permissionId: await programs.permissionOf(admin) });
  for (const { client } of [token, account]) {
    const { status, body } = await client.change('POST', PATH, newBody('Another'));
    expect([status, body]).toMatchObject([403, { error: { id: 'Forbidden' } }]);
  }
});

test('403: a caller without the permission, and a caller who may not assign the permission of the token', async () => {
  const orgId = await programs.api.createOrganization();
  const admin = await programs.admin(orgId);
  const without = await programs.api.createPerson(orgId, { operations: ['Auth:Users:Read'] });
  expect((await without.client.change('POST', PATH, newBody())).status).toBe(403);
  const person = await programs.api.createPerson(orgId, { operations: ['Auth:Pats:Create'] });
  const body = { ...newBody(), permissionId: await programs.permissionOf(admin) };
  const refused = await person.client.change('POST', PATH, body);
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: { message: `CustomerEmployee ${person.userId} is not authorized to perform operation (Permissions:Assign)` } },
  ]);
});

test('404: a permission that is unknown or belongs to another organisation; 409: an archived permission', async () => {
  const admin = await programs.admin();
  const foreign = await programs.permissionOf(await programs.admin());
  const archived = await programs.permissionOf(await programs.api.createPerson(admin.orgId, { operations: ['Wallets:Read'] }));
  await programs.api.database.db.withOrg(admin.orgId, (tx) =>
    tx.update(PermissionEntity, { id: archived }, { status: 'Archived' }),
  );
  for (const [permissionId, status] of [
    [UNKNOWN_PERMISSION, 404],
    [foreign, 404],
    [archived, 409],
  ] as const) {
    expect((await admin.client.change('POST', PATH, { ...newBody(), permissionId })).status).toBe(status);
  }
  expect((await admin.client.get(PATH)).body).toEqual({ items: [] });
});

test('409: the caller has already used the name or the external id; another person may use the same name', async () => {
  const admin = await programs.admin();
  await programs.token(admin, { name: 'Laptop', externalId: 'asset-1' });
  const sameName = await admin.client.change('POST', PATH, newBody('Laptop'));
  expect([sameName.status, sameName.body]).toMatchObject([
    409,
    { error: { message: 'Conflicting personal access token with same name', details: { name: 'Laptop' } } },
  ]);
  const sameId = await admin.client.change('POST', PATH, { ...newBody('Other'), externalId: 'asset-1' });
  expect([sameId.status, sameId.body]).toMatchObject([409, { error: { details: { externalId: 'asset-1' } } }]);
  const other = await programs.api.createPerson(admin.orgId);
  expect((await other.client.change('POST', PATH, newBody('Laptop'))).status).toBe(200);
});
