import { type SignInApi, startSignInApi } from '../../../support/sign-in-api';
import { waitUntil } from '../../../support/wait-until';

let api: SignInApi;
let orgId: string;
beforeAll(async () => {
  api = await startSignInApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const UNKNOWN_ORG = 'or-01abc-01abc-0123456789abcdef';
const send = (body: unknown) => api.call('POST', '/auth/login/code', body);
const mailedTo = async (username: string) => (await api.mails(orgId, 'LoginCode')).filter(({ to }) => to === username);

test('200: the code is mailed only to a person who can use it', async () => {
  const person = await api.createPerson(orgId);
  const program = await api.createPerson(orgId, { isServiceAccount: true });
  const gone = await api.createPerson(orgId);
  const bare = await api.createPerson(orgId);
  const recovering = await api.createPerson(orgId);
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [gone.userId]);
  await api.change(orgId, 'UPDATE credentials SET is_active = false WHERE org_id = $1 AND user_id = ANY($2)', [
    [bare.userId, recovering.userId],
  ]);
  await api.addKey(recovering, 'RecoveryKey');
  for (const { username } of [program, gone, bare, recovering, person]) await send({ orgId, username });
  expect(await api.mailedCode(person, 'LoginCode')).toMatch(/^[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}$/);
  expect((await api.mails(orgId, 'LoginCode')).map(({ to }) => to)).toEqual([person.username]);
});

test('200: the answer is the same for every name and does not wait until the code is stored', async () => {
  const person = await api.createPerson(orgId);
  const release = await held(person.userId);
  const answers = await Promise.all([
    send({ orgId, username: person.username }),
    send({ orgId, username: 'nobody@example.com' }),
    send({ orgId: UNKNOWN_ORG, username: person.username }),
    send({ orgId: 'no id at all', username: person.username }),
  ]);
  // All four answers arrived, although the code of the first person cannot be stored yet.
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await mailedTo(person.username)).toEqual([]);
  await release();
  await api.mailedCode(person, 'LoginCode');
});

test('200: a new code makes the earlier one invalid, even when many codes are requested at once', async () => {
  const person = await api.createPerson(orgId);
  await send({ orgId, username: person.username });
  const first = await api.mailedCode(person, 'LoginCode');
  expect(await api.inParallel(() => send({ orgId, username: person.username }))).toEqual({ 200: 40 });
  const last = await api.mailedCode(person, 'LoginCode', 41);
  const init = (loginCode: string) => api.call('POST', '/auth/login/init', { orgId, username: person.username, loginCode });
  expect((await init(first)).status).toBe(401);
  expect((await init(last)).status).toBe(200);
});

test('400: a body without name or organisation', async () => {
  for (const body of [{ orgId }, { username: 'x' }, { orgId, username: '' }, { orgId, username: 'x', code: 'x' }]) {
    expect(await send(body)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  }
});

test('200: neither a row nor the log contains the code in plain text', async () => {
  const person = await api.createPerson(orgId);
  await send({ orgId, username: person.username });
  const code = await api.mailedCode(person, 'LoginCode');
  const rows = await api.db
    .read(orgId)
    .select<{ text: string }>(
      'SELECT m::text AS text FROM mails m UNION ALL SELECT o::text FROM outbox o UNION ALL SELECT c::text FROM one_time_codes c',
    );
  expect(rows.length).toBeGreaterThan(2);
  for (const text of [...rows.map((row) => row.text), ...api.log]) expect(text).not.toContain(code);
});

/** Locks the person's row until the returned function releases the lock. */
async function held(userId: string): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  const transaction = api.db.withOrg(orgId, async (tx) => {
    await tx.query('SELECT 1 FROM users WHERE org_id = $1 AND id = $2 FOR UPDATE', [orgId, userId]);
    isHeld = true;
    await released;
  });
  await waitUntil('the lock', () => isHeld);
  return async () => {
    release();
    await transaction;
  };
}
