import type { Person } from '../../../support/api';
import { type Challenge, type CredentialApi, startCredentialApi } from '../../../support/credential-api';
import { createKeyCredential, type KeyCredential } from '../../../support/key-credentials';

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi();
});
beforeEach(() => on.forgetGuesses());
afterAll(() => on?.api.close());

const begun = async (person: Person, credentialKind = 'Key'): Promise<Challenge> => {
  const { body } = await on.anonymous('/auth/credentials/code/init', { code: await on.code(person), credentialKind });
  return body as object as Challenge;
};
const verify = ({ challengeIdentifier, challenge }: Challenge, key: KeyCredential, bend: object = {}) =>
  on.anonymous('/auth/credentials/code/verify', { ...key.attest(challenge), challengeIdentifier, ...bend });
const REFUSED = {
  status: 400,
  body: { error: { id: 'ChallengeInvalid', status: 400, message: 'Challenge token is not valid.' } },
};

test('200: the person who created the code gets the credential, and the credential signs', async () => {
  const person = await on.person();
  const key = createKeyCredential();
  const { status, body } = await verify(await begun(person), key);
  expect({ status, body }).toMatchObject({ status: 200, body: { kind: 'Key', credentialId: key.credId, isActive: true } });
  expect((await on.sign(person.client, (challenge) => ({ firstFactor: key.assert(challenge) }))).status).toBe(200);
  expect(await on.changedAt(person)).toBeInstanceOf(Date);
});

test('400: 40 completions are sent at once, and exactly one adds a credential', async () => {
  const person = await on.person();
  const challenge = await begun(person);
  const answers = await Promise.all(Array.from({ length: 40 }, () => verify(challenge, createKeyCredential())));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(39).fill(400)]);
  expect(answers.find(({ status }) => status === 400)).toEqual(REFUSED);
  expect(await on.credentials(person)).toHaveLength(2);
});

test('400: the challenge was issued without a code, is for another kind, was used, has expired or belongs to a deactivated person', async () => {
  const [person, used, late, gone] = [await on.person(), await on.person(), await on.person(), await on.person()];
  const mine = await begun(person);
  const usedChallenge = await begun(used);
  await verify(usedChallenge, createKeyCredential());
  const lateChallenge = await begun(late);
  await on.api.database.db.withOrg(late.orgId, (tx) =>
    tx.query('UPDATE challenges SET date_expires = clock_timestamp() WHERE org_id = $1', [late.orgId]),
  );
  const goneChallenge = await begun(gone);
  await on.api.database.db.withOrg(gone.orgId, (tx) =>
    tx.query('UPDATE users SET is_active = false WHERE org_id = $1', [gone.orgId]),
  );
  for (const challenge of [
    await on.begin(person, 'Key'),
    await begun(person, 'RecoveryKey'),
    usedChallenge,
    lateChallenge,
    goneChallenge,
    { ...mine, challengeIdentifier: person.token },
    { ...mine, challengeIdentifier: 'x' },
  ]) {
    expect(await verify(challenge, createKeyCredential())).toEqual(REFUSED);
  }
  expect(await on.credentials(person)).toHaveLength(1);
});

test('400: the attestation is not valid, and the challenge stays open for a valid attestation', async () => {
  const person = await on.person();
  const challenge = await begun(person);
  const { body } = await verify({ ...challenge, challenge: 'other' }, createKeyCredential());
  expect(body).toMatchObject({ error: { id: 'AttestationInvalid' } });
  expect((await verify(challenge, createKeyCredential())).status).toBe(200);
});

test('400: the body lacks members, and the error reports each of them', async () => {
  const { body } = await on.anonymous('/auth/credentials/code/verify', { credentialKind: 'Key' });
  expect(body).toMatchObject({ error: { id: 'InvalidRequest', details: { issues: [{ path: 'body.credentialInfo' }, {}, {}] } } });
});

test('409: the credential id is already in use, and the challenge stays valid for another id', async () => {
  const person = await on.person();
  const challenge = await begun(person);
  const key = createKeyCredential();
  const credentialInfo = { ...(key.attest(challenge.challenge)['credentialInfo'] as object), credId: person.credId };
  expect(await verify(challenge, key, { credentialInfo })).toMatchObject({ status: 409, body: { error: { id: 'Conflict' } } });
  expect((await verify(challenge, key)).status).toBe(200);
});
