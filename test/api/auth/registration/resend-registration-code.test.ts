import { newId } from '../../../../platform/ids';
import { type RegistrationApi, startRegistrationApi, withKey } from '../../../support/registration-api';

const PATH = '/auth/registration/code';
const ANSWER = { message: 'If this user was invited and has not registered yet, a new code is on its way' };

let registration: RegistrationApi;
beforeAll(async () => {
  registration = await startRegistrationApi();
});
afterAll(() => registration?.close());

test('200: a new code is mailed, and the earlier code becomes invalid', async () => {
  const orgId = await registration.api.createOrganization();
  const invited = await registration.invite(orgId);
  const { username } = invited;
  expect(await registration.say('PUT', PATH, { orgId, username: username.toUpperCase() })).toMatchObject({
    status: 200,
    body: ANSWER,
  });
  const code = await registration.newCode(invited);
  expect(await registration.mailsOf(invited)).toEqual([
    { template: 'RegistrationCode', to: username, data: { code, dateExpires: expect.stringMatching(/^\d{4}-/) } },
  ]);
  expect(code).toMatch(/^[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}$/);
  const init = (registrationCode: string) =>
    registration.say('POST', '/auth/registration/init', { orgId, username, registrationCode });
  expect((await init(invited.code)).status).toBe(401);
  expect((await init(code)).status).toBe(200);
});

test('200: the answer is the same for unknown people, and nothing is mailed or changed', async () => {
  const orgId = await registration.api.createOrganization();
  const registered = await registration.invite(orgId);
  const challenge = await registration.begin(registered);
  const { temporaryAuthenticationToken: token } = challenge;
  expect((await registration.say('POST', '/auth/registration', withKey(challenge.challenge), token)).status).toBe(200);
  const silent = [
    await registration.invite(orgId, { isActive: false }),
    await registration.invite(orgId, { dateArchived: new Date() }),
    await registration.invite(orgId, { kind: 'EndUser' }),
    await registration.invite(orgId, { isServiceAccount: true }),
  ];
  const said = [
    { orgId, username: registered.username },
    ...silent.map(({ username }) => ({ orgId, username })),
    { orgId, username: 'nobody@example.com' },
    { orgId: newId('organization'), username: registered.username },
    { orgId: 'nowhere', username: registered.username },
  ];
  for (const body of said) {
    expect([body, await registration.say('PUT', PATH, body)]).toMatchObject([body, { status: 200, body: ANSWER }]);
  }
  // The service handles requests in order, so the earlier requests would have sent their mail by then.
  const last = await registration.invite(orgId);
  await registration.say('PUT', PATH, { orgId, username: last.username });
  await registration.newCode(last);
  for (const person of silent) expect(await registration.mailsOf(person)).toEqual([]);
  expect(await registration.mailsOf(registered)).toMatchObject([{ template: 'UserRegistered' }]);
});

test('400: fields that are missing, too long or unknown', async () => {
  for (const [body, path] of [
    [{ username: 'a' }, 'body.orgId'],
    [{ orgId: 'b' }, 'body.username'],
    [{ orgId: 'b', username: 'x'.repeat(257) }, 'body.username'],
    [{ orgId: 'b', username: 'a', more: 1 }, 'body.more'],
  ] as const) {
    const answer = await registration.say('PUT', PATH, body);
    expect([path, answer.status, answer.body]).toMatchObject([path, 400, { error: { details: { issues: [{ path }] } } }]);
  }
});
