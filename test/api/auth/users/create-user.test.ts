import { CredentialEntity } from '../../../../entities/credentials/credential.entity';
import { MailEntity } from '../../../../entities/mails/mail.entity';
import { OneTimeCodeEntity } from '../../../../entities/one-time-codes/one-time-code.entity';
import { OutboxRowEntity } from '../../../../entities/outbox/outbox-row.entity';
import { UserEntity } from '../../../../entities/users/user.entity';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { firstIssue } from '../../../support/policy-api';

let api: TestApi;
let orgId: string;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
  orgId = await api.createOrganization();
  admin = await api.createPerson(orgId, { name: 'admin' });
});
afterAll(() => api?.close());

type Made = { readonly userId: string };
let count = 0;
const someEmail = () => `person-${count++}@example.test`;
const create = (body: unknown, by: Person = admin) => by.client.change('POST', '/auth/users', body);
const reader = () => api.database.db.read(orgId);
const rowOf = (userId: string) => reader().row(UserEntity, 'WHERE t.id = $1', [userId]);

test('200: the new employee has a registration code and a waiting mail, and no permission yet', async () => {
  const email = someEmail();
  const { status, body } = await create({ email, kind: 'CustomerEmployee', externalId: 'hr-7' });
  expect(status).toBe(200);
  expect(body).toEqual({
    username: email,
    name: email,
    userId: expect.stringMatching(/^us-/),
    kind: 'CustomerEmployee',
    credentialUuid: '',
    orgId,
    isActive: true,
    isServiceAccount: false,
    isRegistered: false,
    isSSORequired: false,
    permissionAssignments: [],
  });
  const { userId } = body as Made;
  expect(await rowOf(userId)).toMatchObject({ externalId: 'hr-7', createdBy: admin.userId, version: 1 });
  expect(await reader().rows(OneTimeCodeEntity, 'WHERE t.user_id = $1', [userId])).toMatchObject([
    { purpose: 'Registration', dateConsumed: null },
  ]);
  const [mail, ...others] = await reader().rows(MailEntity, 'WHERE t.user_id = $1', [userId]);
  expect([mail, others]).toMatchObject([{ template: 'RegistrationCode', status: 'Waiting' }, []]);
  const rows = await reader().rows(OutboxRowEntity, 'WHERE t.aggregate_id = $1', [mail?.id ?? '']);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify([mail, rows])).not.toContain(email);
});

test('200: the answer shows that a user must sign in through the provider', async () => {
  const { body } = await create({ email: someEmail(), kind: 'CustomerEmployee', isSSORequired: true });
  expect(body).toMatchObject({ isSSORequired: true });
});

test('200: a public key has no effect, and a header reports this', async () => {
  const body = { email: someEmail(), kind: 'CustomerEmployee' };
  const plain = await create({ ...body, email: someEmail() });
  const keyed = await create({ ...body, publicKey: '-----BEGIN PUBLIC KEY-----' });
  expect([plain.status, plain.headers.get('strongroom-warning')]).toEqual([200, null]);
  expect([keyed.status, keyed.headers.get('strongroom-warning')]).toEqual([200, 'Ignored: publicKey']);
  const { userId } = keyed.body as Made;
  expect(keyed.body).toEqual({ ...(plain.body as object), userId, username: body.email, name: body.email });
  expect(await rowOf(userId)).toMatchObject({ isRegistered: false });
  expect(await reader().rows(CredentialEntity, 'WHERE t.user_id = $1', [userId])).toEqual([]);
});

test('200: the name of an archived user is free again', async () => {
  const email = someEmail();
  const first = (await create({ email, kind: 'CustomerEmployee' })).body as Made;
  expect((await admin.client.change('DELETE', `/auth/users/${first.userId}`)).status).toBe(200);
  const again = await create({ email, kind: 'CustomerEmployee' });
  expect(again.status).toBe(200);
  expect((again.body as Made).userId).not.toBe(first.userId);
});

test('200: two organisations may each have a user with the same mail address', async () => {
  const email = someEmail();
  const other = await api.createPerson(await api.createOrganization());
  expect((await create({ email, kind: 'CustomerEmployee' })).status).toBe(200);
  expect((await create({ email, kind: 'CustomerEmployee' }, other)).status).toBe(200);
});

test.each<[string, unknown, string]>([
  ['no address', { kind: 'CustomerEmployee' }, 'body.email'],
  ['an invalid mail address', { email: 'ada', kind: 'CustomerEmployee' }, 'body.email'],
  ['two addresses', { email: 'a@example.test, b@example.test', kind: 'CustomerEmployee' }, 'body.email'],
  ['a line break', { email: 'a@example.test\r\nBcc: b@example.test', kind: 'CustomerEmployee' }, 'body.email'],
  ['an address of 255 characters', { email: `${'a'.repeat(242)}@example.test`, kind: 'CustomerEmployee' }, 'body.email'],
  ['no kind', { email: 'a@example.test' }, 'body.kind'],
  ['staff', { email: 'a@example.test', kind: 'SvcStaff' }, 'body.kind'],
  ['an end user', { email: 'a@example.test', kind: 'EndUser' }, 'body.kind'],
  ['a tenant user', { email: 'a@example.test', kind: 'TenantUser' }, 'body.kind'],
  ['an empty external id', { email: 'a@example.test', kind: 'CustomerEmployee', externalId: '' }, 'body.externalId'],
  ['a key that is not a text', { email: 'a@example.test', kind: 'CustomerEmployee', publicKey: 7 }, 'body.publicKey'],
  ['a permission', { email: 'a@example.test', kind: 'CustomerEmployee', permissions: ['*'] }, 'body.permissions'],
])('400: for %s, the error contains the path', async (_title, body, path) => {
  const answer = await create(body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
});

test('401: a user already has the name, in any letter case, and no mail is stored', async () => {
  const email = someEmail();
  await create({ email, kind: 'CustomerEmployee' });
  const before = await reader().rows(MailEntity, '');
  const { status, body } = await create({ email: email.toUpperCase(), kind: 'CustomerEmployee' });
  expect(status).toBe(401);
  expect(body).toEqual({ error: { id: 'UserExists', status: 401, message: 'User already exists.' } });
  expect(await reader().rows(MailEntity, '')).toHaveLength(before.length);
});

test('401: one person is added by twenty requests at once, and exactly one request succeeds', async () => {
  const email = someEmail();
  const body = { email, kind: 'CustomerEmployee' };
  const text = JSON.stringify(body);
  const actions = await Promise.all(Array.from({ length: 20 }, () => admin.client.userAction('POST', '/auth/users', text)));
  const statuses = await Promise.all(
    actions.map((action) =>
      admin.client.send({ method: 'POST', path: '/auth/users', text, headers: { 'x-svc-useraction': action } }),
    ),
  ).then((answers) => answers.map(({ status }) => status));
  expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
});

test('403: without the permission, and for an end user', async () => {
  const body = { email: someEmail(), kind: 'CustomerEmployee' };
  const reading = await api.createPerson(orgId, { operations: ['Auth:Users:Read'] });
  const answer = await create(body, reading);
  expect(answer.status).toBe(403);
  expect(answer.body).toMatchObject({
    error: { message: `CustomerEmployee ${reading.userId} is not authorized to perform operation (Auth:Users:Create)` },
  });
  expect((await create(body, await api.createPerson(orgId, { kind: 'EndUser' }))).status).toBe(403);
});

test('409: another user has the external id', async () => {
  const externalId = 'hr-8';
  await create({ email: someEmail(), kind: 'CustomerEmployee', externalId });
  const { status, body } = await create({ email: someEmail(), kind: 'CustomerEmployee', externalId });
  expect(status).toBe(409);
  expect(body).toMatchObject({ error: { id: 'Conflict', details: { externalId } } });
});
