import type { Person } from '../../../support/api';
import { createKeyCredential } from '../../../support/key-credentials';
import { type Challenge, type RegistrationApi, startRegistrationApi, withKey } from '../../../support/registration-api';

const PATH = '/auth/registration/delegated';
const EMAIL = 'end.user@example.com';

let registration: RegistrationApi;
let orgId: string;
let program: Person;
beforeAll(async () => {
  registration = await startRegistrationApi();
});
beforeEach(async () => {
  orgId = await registration.api.createOrganization();
  program = await registration.api.createPerson(orgId, { isServiceAccount: true, operations: ['Auth:Register:Delegated'] });
});
afterAll(() => registration?.close());

const delegate = (more: object = {}, by = program) => by.client.change('POST', PATH, { email: EMAIL, kind: 'EndUser', ...more });
const complete = ({ challenge, temporaryAuthenticationToken }: Challenge) =>
  registration.say('POST', '/auth/registration', withKey(challenge), temporaryAuthenticationToken);
const refused = (status: number, error: object) =>
  expect.objectContaining({ status, body: { error: expect.objectContaining(error) } });
const exists = refused(401, { id: 'UserExists', message: 'User already exists.' });

test('200: an end user gets a challenge and no mail, and has the permission of end users after registration', async () => {
  const { status, body } = await delegate({ externalId: 'customer-7' });
  expect(status).toBe(200);
  const challenge = body as Challenge;
  const userId = challenge.user.id;
  expect(challenge).toMatchObject({ user: { id: userId, name: EMAIL, displayName: EMAIL }, excludeCredentials: [] });
  expect(await registration.userOf({ orgId, userId })).toMatchObject({
    kind: 'EndUser',
    isRegistered: false,
    externalId: 'customer-7',
    createdBy: program.userId,
  });
  expect((await complete(challenge)).status).toBe(200);
  expect(await registration.mailsOf({ orgId, userId })).toEqual([]);
  const admin = await registration.api.createPerson(orgId);
  expect(await admin.client.get(`/auth/users/${userId}`)).toMatchObject({
    status: 200,
    body: { isRegistered: true, permissionAssignments: [{ permissionName: 'ManagedDefaultEndUserAccess' }] },
  });
});

test('200: a user who has not registered yet gets a new challenge, and the earlier challenge becomes invalid', async () => {
  const first = (await delegate({ externalId: 'customer-8' })).body as Challenge;
  const again = await delegate({ email: EMAIL.toUpperCase() });
  expect(again.status).toBe(200);
  const second = again.body as Challenge;
  expect(second.user.id).toBe(first.user.id);
  expect((await complete(first)).status).toBe(401);
  expect((await complete(second)).status).toBe(200);
});

test('200: 40 requests for one name create one user, and exactly one of the challenges can be completed', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => delegate()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const challenges = answers.map(({ body }) => body as Challenge);
  expect(new Set(challenges.map(({ user }) => user.id)).size).toBe(1);
  const completed = await Promise.all(challenges.map(complete));
  expect(completed.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('401: another user has the name, even if that user is only an invited employee', async () => {
  expect((await complete((await delegate()).body as Challenge)).status).toBe(200);
  expect(await delegate()).toEqual(exists);
  const invited = await registration.invite(orgId);
  const employee = await registration.api.createPerson(orgId);
  for (const email of [invited.username, employee.username, program.username]) expect(await delegate({ email })).toEqual(exists);
  expect(await registration.userOf(invited)).toMatchObject({ kind: 'CustomerEmployee', isRegistered: false });
});

test('400: the end user is deactivated', async () => {
  const { user } = (await delegate()).body as Challenge;
  await registration.api.database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]),
  );
  expect(await delegate()).toEqual(refused(400, { id: 'UserDeactivated' }));
});

test('409: another user has the external id, or the same user has a different external id', async () => {
  await delegate({ externalId: 'customer-9' });
  expect(await delegate({ email: 'another@example.com', externalId: 'customer-9' })).toEqual(refused(409, { id: 'Conflict' }));
  expect(await delegate({ externalId: 'customer-10' })).toEqual(refused(409, { id: 'Conflict' }));
});

test('400: fields that are missing, unknown or of the wrong type', async () => {
  for (const [more, path] of [
    [{ email: undefined }, 'body.email'],
    [{ email: '' }, 'body.email'],
    [{ email: 'x'.repeat(257) }, 'body.email'],
    [{ kind: 'CustomerEmployee' }, 'body.kind'],
    [{ externalId: '' }, 'body.externalId'],
    [{ publicKey: createKeyCredential().publicKeyPem }, 'body.publicKey'],
  ] as const) {
    const answer = await delegate(more);
    expect([path, answer]).toMatchObject([path, { status: 400, body: { error: { details: { issues: [{ path }] } } } }]);
  }
});

test('403: employees, end users, and programs without the permission', async () => {
  const { createPerson } = registration.api;
  const callers = [
    await createPerson(orgId),
    await createPerson(orgId, { kind: 'EndUser' }),
    await createPerson(orgId, { isServiceAccount: true, name: 'Other', operations: ['Auth:Login:Delegated'] }),
  ];
  for (const caller of callers) expect(await delegate({}, caller)).toEqual(refused(403, { id: 'Forbidden' }));
});

test('403: without a signed user action', async () => {
  expect(await program.client.post(PATH, { email: EMAIL, kind: 'EndUser' })).toEqual(refused(403, { id: 'UserActionInvalid' }));
});
