import { type CredentialApi, startCredentialApi } from '../../../support/credential-api';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
beforeEach(() => on.forgetGuesses());
afterAll(() => on?.api.close());

const use = (code: string, credentialKind = 'Key') => on.anonymous('/auth/credentials/code/init', { code, credentialKind });
const REFUSED = { status: 403, body: { error: { id: 'Forbidden', status: 403, message: 'Invalid code' } } };

test('200: the code alone determines the person who will own the credential, in any organisation', async () => {
  const people = [await on.person(), await on.person()];
  for (const { client: _client, ...person } of people) {
    const owner = people.find(({ userId }) => userId === person.userId);
    const { status, body } = await use(owner ? await on.code(owner) : '', 'Fido2');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { kind: 'Fido2', user: { id: person.userId, name: person.username }, rp: { id: 'localhost' } },
    });
  }
});

test('200: the code may be typed in lower case, without dashes or with spaces', async () => {
  const person = await on.person();
  for (const typed of [
    (code: string) => code.toLowerCase(),
    (code: string) => code.replace(/-/g, ''),
    (code: string) => ` ${code.replace(/-/g, ' ')} `,
  ]) {
    expect((await use(typed(await on.code(person)))).status).toBe(200);
  }
});

test('403: of 40 uses of a code at once, exactly one gets a challenge', async () => {
  const person = await on.person();
  const code = await on.code(person);
  const answers = await Promise.all(Array.from({ length: 40 }, () => use(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(403)]);
  expect(await on.api.database.db.read(person.orgId).select('SELECT id FROM challenges')).toHaveLength(1);
});

describe('the answer is identical', () => {
  test('403: for an unknown code, a used code and an expired code', async () => {
    const [used, late] = [await on.person(), await on.person()];
    const usedCode = await on.code(used);
    await use(usedCode);
    const lateCode = await on.code(late);
    await on.api.database.db.withOrg(late.orgId, (tx) =>
      tx.query('UPDATE one_time_codes SET date_expires = clock_timestamp() WHERE org_id = $1', [late.orgId]),
    );
    for (const code of ['ABC-DEF-GHJ', 'x', usedCode, lateCode]) expect(await use(code)).toEqual(REFUSED);
  });

  test('403: for a person who was deactivated or archived', async () => {
    for (const change of ['is_active = true', 'is_active = false', 'is_active = false, date_archived = clock_timestamp()']) {
      const person = await on.person();
      const code = await on.code(person);
      await on.api.database.db.withOrg(person.orgId, (tx) =>
        tx.query(`UPDATE users SET ${change} WHERE org_id = $1`, [person.orgId]),
      );
      if (change === 'is_active = true') expect((await use(code)).status).toBe(200);
      else expect(await use(code)).toEqual(REFUSED);
    }
  });

  test('403: for a code that was created for a registration, a login or a recovery', async () => {
    const person = await on.person();
    const code = await on.code(person);
    for (const purpose of ['Registration', 'Login', 'Recovery']) {
      await on.api.database.db.withOrg(person.orgId, (tx) =>
        tx.query('UPDATE one_time_codes SET purpose = $2 WHERE org_id = $1', [person.orgId, purpose]),
      );
      expect(await use(code)).toEqual(REFUSED);
    }
  });
});

test.each([
  ['body.code', { credentialKind: 'Key' }],
  ['body.code', { credentialKind: 'Key', code: '' }],
  ['body.code', { credentialKind: 'Key', code: 'x'.repeat(65) }],
  ['body.credentialKind', { code: 'ABC-DEF-GHJ', credentialKind: 'Passkey' }],
  ['body.orgId', { code: 'ABC-DEF-GHJ', credentialKind: 'Key', orgId: 'or' }],
])('400: the error reports an invalid %s', async (path, body) => {
  expect(await on.anonymous('/auth/credentials/code/init', body)).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidRequest', details: { issues: [{ path }] } } },
  });
});
