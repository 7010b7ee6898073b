import { GUESS_RULES } from '../../../domain/rate-limits';
import type { Person } from '../../support/api';
import { asSuperuser } from '../../support/roles';
import { startSignInApi } from '../../support/sign-in-api';
import { codeOf } from '../../support/totp';

const PASSWORD = 'correct horse battery staple';
const NOT_AUTHORIZED = { error: { id: 'Unauthorized', status: 401, message: 'Not Authorized.' } };

let api: Awaited<ReturnType<typeof startSignInApi>>;
beforeAll(async () => {
  api = await startSignInApi({ TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => api?.close());
beforeEach(() => asSuperuser((client) => client.query('TRUNCATE lockouts'), api.database.name));

const endPauses = () => asSuperuser((client) => client.query('UPDATE lockouts SET date_until = NULL'), api.database.name);
/** A person with a password, one-time passwords and a passkey. */
async function newPerson() {
  const person = await api.createPerson(await api.createOrganization());
  await api.addPassword(person, PASSWORD);
  return { person, otpUrl: await api.addTotp(person), passkey: await api.addPasskey(person) };
}
type Named = Pick<Person, 'orgId' | 'username'>;
/** A login from this address. Each login has a challenge of its own. */
async function logInBy({ orgId, username }: Named, factorsOf: (challenge: string) => object, address = '198.51.100.1') {
  const { challenge, challengeIdentifier } = await api.begin({ orgId, username });
  const response = await fetch(`${api.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ challengeIdentifier, ...factorsOf(challenge) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}
const logIn = (asked: Named, firstFactor: object, secondFactor: object, address?: string) =>
  logInBy(asked, () => ({ firstFactor, secondFactor }), address);
const password = (text: string) => ({ kind: 'Password', password: text });
const totp = (otpCode: string) => ({ kind: 'Totp', otpCode });
const now = (otpUrl: string, stepsAhead = 0) => totp(codeOf(otpUrl, Date.now() + stepsAhead * 30_000));

test('after several wrong passwords, the right password is refused in the same way, and accepted when the pause is over', async () => {
  const { person, otpUrl } = await newPerson();
  for (let at = 0; at <= GUESS_RULES.pair.free; at += 1) {
    expect(await logIn(person, password('wrong'), totp('000000'))).toEqual({ status: 401, body: NOT_AUTHORIZED });
  }
  expect(await logIn(person, password(PASSWORD), now(otpUrl))).toEqual({ status: 401, body: NOT_AUTHORIZED });
  await endPauses();
  expect(await logIn(person, password(PASSWORD), now(otpUrl))).toMatchObject({ status: 200 });
});

test('a caller who knows the password cannot try one-time passwords without limit', async () => {
  const { person, otpUrl } = await newPerson();
  for (let at = 0; at <= GUESS_RULES.pair.free; at += 1) {
    expect(await logIn(person, password(PASSWORD), totp('000000'))).toEqual({ status: 401, body: NOT_AUTHORIZED });
  }
  expect(await logIn(person, password(PASSWORD), now(otpUrl))).toEqual({ status: 401, body: NOT_AUTHORIZED });
});

test('a passkey can log in while passwords are paused, and the pause does not apply to another address', async () => {
  const { person, otpUrl, passkey } = await newPerson();
  for (let at = 0; at <= GUESS_RULES.pair.free + 3; at += 1) await logIn(person, password('wrong'), totp('000000'));
  const answer = await logInBy(person, (challenge) => ({ firstFactor: passkey.factor(challenge) }));
  expect(answer.status).toBe(200);
  expect(await logIn(person, password(PASSWORD), now(otpUrl), '203.0.113.5')).toMatchObject({ status: 200 });
});

test('an unknown username gets the same answer as a known one, before and during a pause', async () => {
  const { person } = await newPerson();
  const nobody = { orgId: person.orgId, username: 'nobody@example.com' };
  for (let at = 0; at <= GUESS_RULES.pair.free + 2; at += 1) {
    const [somebody, stranger] = [
      await logIn(person, password('wrong'), totp('000000')),
      await logIn(nobody, password('wrong'), totp('000000')),
    ];
    expect(stranger).toEqual(somebody);
  }
});

test('wrong factors of a user action are counted in the same way', async () => {
  const { person, otpUrl } = await newPerson();
  const sign = async (text: string, stepsAhead: number) => {
    const { challengeIdentifier } = (await person.client.announce('POST', '/v2/policies', '{}')).body as {
      challengeIdentifier: string;
    };
    const factors = { firstFactor: password(text), secondFactor: now(otpUrl, stepsAhead) };
    return (await person.client.post('/auth/action', { challengeIdentifier, ...factors })).status;
  };
  expect(await sign(PASSWORD, 0)).toBe(200);
  for (let at = 0; at <= GUESS_RULES.pair.free; at += 1) expect(await sign('wrong', 1)).toBe(401);
  expect(await sign(PASSWORD, 1)).toBe(401);
});
