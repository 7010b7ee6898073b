import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { organizationStore } from '../../entities/organizations/organization.store';
import { ROOT, run } from '../scripts/script';
import { type Person, startApi, type TestApi } from '../support/api';
import { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';

const MAIN = join(ROOT, 'dist', 'operator', 'main.js');
const dataKek = randomBytes(32).toString('hex');

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ dataKek });
});
afterAll(() => api?.close());

const operator = (...words: string[]) =>
  run([MAIN, ...words], {
    DATABASE_URL: api.database.appUrl,
    OWNER_DATABASE_URL: api.database.ownerUrl,
    DATA_KEK: dataKek,
  });

type Made = { readonly orgId: string; readonly userId: string; readonly code: string; readonly tenantId: string | undefined };

async function createOrganization(email: string, ...more: string[]): Promise<Made> {
  const { code: status, output } = await operator('org:create', '--name', 'Acme', '--admin-email', email, ...more);
  expect([status, output]).toEqual([0, expect.stringContaining(email)]);
  const found = (pattern: RegExp) => pattern.exec(output)?.[1];
  return {
    orgId: found(/(or-\S+)/) ?? '',
    userId: found(/(us-\S+)/) ?? '',
    code: found(/Registration code\s+(\S+)/) ?? '',
    tenantId: found(/(acct-\S+)/),
  };
}

async function post<T>(path: string, body: unknown, bearer?: string): Promise<{ readonly status: number; readonly body: T }> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as T };
}

type Challenge = {
  readonly challenge: string;
  readonly challengeIdentifier: string;
  readonly temporaryAuthenticationToken: string;
};

const begin = ({ orgId, code }: Made, username: string) =>
  post<Challenge>('/auth/registration/init', { orgId, username, registrationCode: code });

async function register(made: Made, username: string): Promise<Keys> {
  const keys = newKeys();
  const { status, body } = await begin(made, username);
  expect([status, body]).toMatchObject([200, {}]);
  const registered = await post(
    '/auth/registration',
    { firstFactorCredential: keys.credential.attest(body.challenge) },
    body.temporaryAuthenticationToken,
  );
  expect([registered.status, registered.body]).toMatchObject([200, {}]);
  return keys;
}

const newKeys = () => {
  const pair = generateKeyPairSync('ed25519');
  return { privateKey: pair.privateKey, credential: createKeyCredential('Key', pair) };
};

type Keys = ReturnType<typeof newKeys>;

async function login(orgId: string, username: string, { privateKey, credential }: Keys): Promise<Client> {
  const init = await post<Challenge>('/auth/login/init', { orgId, username });
  const { challenge, challengeIdentifier } = init.body;
  const { status, body } = await post<{ token: string }>('/auth/login', {
    challengeIdentifier,
    firstFactor: credential.assert(challenge),
  });
  expect([status, body]).toMatchObject([200, {}]);
  return new Client(api.url, { token: body.token, credId: credential.credId, privateKey });
}

test('org:create: the first administrator registers with the printed code, once, and may do everything', async () => {
  const email = 'ada@acme.test';
  const made = await createOrganization(email);
  const ada = await login(made.orgId, email, await register(made, email));
  expect((await begin(made, email)).status).toBe(401);
  const { status, body } = await ada.get(`/auth/users/${made.userId}`);
  expect([status, body]).toMatchObject([
    200,
    {
      username: email,
      kind: 'CustomerEmployee',
      isRegistered: true,
      permissionAssignments: [{ permissionName: 'ManagedFullAdminAccess' }],
    },
  ]);
  expect((await ada.change('POST', '/auth/users', { email: 'bob@acme.test', kind: 'CustomerEmployee' })).status).toBe(200);
  const permissions = await api.database.db
    .read(made.orgId)
    .select<{ name: string }>('SELECT name FROM permissions WHERE is_managed ORDER BY name');
  expect(permissions.map(({ name }) => name)).toEqual([
    'Approver',
    'Auditor',
    'Initiator',
    'ManagedDefaultEndUserAccess',
    'ManagedFullAdminAccess',
    'Viewer',
  ]);
});

test('org:create: the code of one organisation does not register at another organisation', async () => {
  const email = 'ada@acme.test';
  const [one, two] = [await createOrganization(email), await createOrganization(email)];
  expect((await begin({ ...one, code: two.code }, email)).status).toBe(401);
  expect((await begin(one, email)).status).toBe(200);
});

test('org:join: a user of a tenant logs in to both organisations with one key, and has no rights in the second', async () => {
  const [email, other] = ['ada@group.test', 'bob@group.test'];
  const first = await createOrganization(email, '--new-tenant', 'Group');
  const second = await createOrganization(other, '--tenant', first.tenantId ?? '');
  expect(second.tenantId).toBe(first.tenantId);
  const keys = await register(first, email);

  const words = ['org:join', '--org', second.orgId, '--user', first.userId, '--from', first.orgId];
  expect(await operator(...words)).toMatchObject({ code: 0, output: expect.stringContaining('a member of') });
  expect(await operator(...words)).toMatchObject({ code: 0, output: expect.stringContaining('nothing was changed') });

  const there = await login(second.orgId, email, keys);
  expect((await there.get('/auth/users')).status).toBe(403);
  const bob = await login(second.orgId, other, await register(second, other));
  const ada = { userId: first.userId, kind: 'TenantUser', tenantId: first.tenantId };
  expect((await bob.get(`/auth/users/${first.userId}`)).body).toMatchObject({
    ...ada,
    orgId: second.orgId,
    permissionAssignments: [],
  });
  const here = await login(first.orgId, email, keys);
  expect((await here.get('/auth/users?kind=TenantUser')).body).toMatchObject({ items: [{ ...ada, orgId: first.orgId }] });

  // A user who is deactivated in one organisation keeps access to the other.
  expect((await bob.change('PUT', `/auth/users/${first.userId}/deactivate`, {})).status).toBe(200);
  expect((await there.get('/auth/credentials')).status).toBe(401);
  expect((await here.get('/auth/users')).status).toBe(200);
});

test('org:join: the command needs two organisations of one tenant, and a registered employee', async () => {
  const first = await createOrganization('ada@one.test', '--new-tenant', 'One');
  const sister = await createOrganization('eve@one.test', '--tenant', first.tenantId ?? '');
  const stranger = await createOrganization('bob@two.test', '--new-tenant', 'Two');
  const alone = await createOrganization('cy@three.test');
  const members = async (orgId: string): Promise<Person[]> => [
    await api.createPerson(orgId, { kind: 'EndUser' }),
    await api.createPerson(orgId, { isServiceAccount: true }),
  ];
  const refused = async (org: string, user: string, from: string, said: string) => {
    const { code, output } = await operator('org:join', '--org', org, '--user', user, '--from', from);
    expect([code, output]).toEqual([1, expect.stringContaining(said)]);
  };
  const employee = await api.createPerson(first.orgId);
  await refused(stranger.orgId, employee.userId, first.orgId, 'one tenant');
  await refused(alone.orgId, employee.userId, first.orgId, 'one tenant');
  await refused(first.orgId, employee.userId, first.orgId, 'one tenant');
  await refused('or-00000-00000-0000000000000000', employee.userId, first.orgId, 'organization not found');
  await refused(sister.orgId, first.userId, first.orgId, 'registered employee');
  await refused(sister.orgId, sister.userId, first.orgId, 'user not found');
  for (const { userId } of await members(first.orgId)) await refused(sister.orgId, userId, first.orgId, 'registered employee');
});

test('org:service-account-votes: only the operator sets the switch, and switching on raises the policy epoch', async () => {
  const { orgId } = await createOrganization('ada@votes.test');
  const reader = () => api.database.db.read(orgId);
  const before = await organizationStore.policyEpoch(reader(), orgId);
  expect(await operator('org:service-account-votes', '--org', orgId, '--on')).toMatchObject({ code: 0 });
  expect(await organizationStore.settings(reader(), orgId)).toMatchObject({ serviceAccountsMayVote: true });
  expect(await organizationStore.policyEpoch(reader(), orgId)).toBe(before + 1);
  expect(await operator('org:service-account-votes', '--org', orgId, '--off')).toMatchObject({ code: 0 });
  expect(await organizationStore.settings(reader(), orgId)).toMatchObject({ serviceAccountsMayVote: false });
});

test.each<[string, readonly string[], string]>([
  ['no command', [], 'npm run org:create'],
  ['an unknown command', ['org:drop'], 'npm run org:create'],
  ['no name', ['org:create', '--admin-email', 'a@b.test'], '--name'],
  ['no mail address', ['org:create', '--name', 'A', '--admin-email', 'a'], '--admin-email'],
  ['an option that does not exist', ['org:create', '--name', 'A', '--admin-email', 'a@b.test', '--force'], '--force'],
  [
    'both kinds of tenant',
    ['org:create', '--name', 'A', '--admin-email', 'a@b.test', '--tenant', 'x', '--new-tenant', 'y'],
    'both',
  ],
  [
    'a tenant that does not exist',
    ['org:create', '--name', 'A', '--admin-email', 'a@b.test', '--tenant', 'x'],
    'tenant not found',
  ],
  ['neither --on nor --off', ['org:service-account-votes', '--org', 'or-1'], '--on or --off'],
  ['both --on and --off', ['org:service-account-votes', '--org', 'or-1', '--on', '--off'], '--on or --off'],
  ['an organisation that does not exist', ['org:service-account-votes', '--org', 'or-1', '--on'], 'organization not found'],
])('%s is refused with a clear message and without a stack trace', async (_title, words, said) => {
  const { code, output } = await operator(...words);
  expect([code, output]).toEqual([1, expect.stringContaining(said)]);
  expect(output).not.toMatch(/\n\s+at /);
});

test('the code is printed and is stored in no row', async () => {
  const { code, orgId } = await createOrganization('ada@secret.test');
  const rows = await api.database.db
    .read(orgId)
    .select<{ text: string }>('SELECT row_to_json(c)::text AS text FROM one_time_codes c');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
});
