import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { verifyRecordedAction } from '../../../application/user-actions/recorded-actions';
import { UserActionEntity } from '../../../entities/user-actions/user-action.entity';
import { challengeOf } from '../../../platform/action-challenge';
import { createSecretBox } from '../../../platform/secret-box';
import type { Person } from '../../support/api';
import { type Body, type Challenge, type CredentialApi, startCredentialApi } from '../../support/credential-api';
import { asSuperuser } from '../../support/roles';

const DATA_KEK = randomBytes(32);
const signedBodies = createSecretBox(DATA_KEK, 'user-actions');
const PATH = '/v2/policies';
const TEXT = JSON.stringify({
  name: 'signed',
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'Block' },
});

let on: CredentialApi;
beforeAll(async () => {
  on = await startCredentialApi({ dataKek: DATA_KEK.toString('hex') });
});
afterAll(() => on?.api.close());

type Factors = (challenge: string) => Body;
const ownKey =
  ({ client }: Person): Factors =>
  (challenge) => ({ firstFactor: client.factor(challenge) });

/** Carries out a change that these factors sign, and returns the id of the record. */
async function changed(person: Person, factorsOf: Factors = ownKey(person)): Promise<string> {
  const { client, orgId } = person;
  const { challenge, challengeIdentifier } = (await client.announce('POST', PATH, TEXT)).body as Challenge;
  const signed = await client.post('/auth/action', { challengeIdentifier, ...factorsOf(challenge) });
  const headers = { 'x-svc-useraction': (signed.body as { userAction: string }).userAction };
  expect(await client.send({ method: 'POST', path: PATH, text: TEXT, headers })).toMatchObject({ status: 200 });
  const [row] = await on.api.database.db
    .read(orgId)
    .rows(UserActionEntity, `WHERE t.path = '${PATH}' AND t.date_consumed IS NOT NULL ORDER BY t.id DESC LIMIT 1`);
  return row?.id ?? '';
}

const verified = ({ orgId }: Pick<Person, 'orgId'>, id: string, asOf?: Date) =>
  verifyRecordedAction(on.api.database.db.read(orgId), id, { asOf, signedBodies });
/** Changes rows with the rights of the application's role. */
const altered = ({ orgId }: Person, sql: string, values: readonly unknown[] = []) =>
  on.api.database.db.withOrg(orgId, (tx) => tx.query(sql, values));
/** Rewrites rows that no database role of the product can change. */
const rewritten = (sql: string, values: readonly unknown[]) => on.api.database.arrange(sql, values);
const unproven = (reason: string) => ({ kind: 'Unproven', reason });

test('a record with a good signature proves who authorised which request', async () => {
  const person = await on.person();
  const id = await changed(person);
  expect(await verified(person, id)).toMatchObject({
    kind: 'Proven',
    action: {
      ...{ id, orgId: person.orgId, userId: person.userId, method: 'POST', path: PATH, approvalDigest: null, decided: null },
      ...{ dateConsumed: expect.any(Date), credentials: [expect.objectContaining({ id: person.credentialUuid })] },
    },
  });
});

test.each<[string, (person: Person) => Promise<Factors>]>([
  [
    'a passkey',
    async (person) => {
      const { factor } = await on.passkey(person);
      return (text) => ({ firstFactor: factor(text) });
    },
  ],
  [
    'a password-protected key',
    async (person) => {
      const { factor } = await on.key(person, 'PasswordProtectedKey');
      return (text) => ({ firstFactor: factor(text) });
    },
  ],
  [
    'a password and a one-time password',
    async (person) => {
      const [password, totp] = [await on.password(person), await on.totp(person)];
      return () => ({ firstFactor: password.factor(), secondFactor: totp.factor() });
    },
  ],
  [
    'a passkey and a key',
    async (person) => {
      const [passkey, key] = [await on.passkey(person), await on.key(person)];
      return (text) => ({ firstFactor: passkey.factor(text), secondFactor: key.factor(text) });
    },
  ],
])('a record of %s is proven', async (_name, factorsFor) => {
  const person = await on.person();
  expect(await verified(person, await changed(person, await factorsFor(person)))).toMatchObject({ kind: 'Proven' });
});

test.each(['rsa', 'ec'] as const)(
  'an assertion over SHA-512 by a key of kind %s is proven, although the record does not name the hash',
  async (kind) => {
    const keys =
      kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const person = await on.api.createPerson(await on.api.createOrganization(), { keys });
    const factors: Factors = (challenge) => {
      const data = Buffer.from(JSON.stringify({ type: 'key.get', challenge }));
      const signature = sign('sha512', data, keys.privateKey).toString('base64url');
      const credentialAssertion = {
        credId: person.credId,
        clientData: data.toString('base64url'),
        signature,
        algorithm: 'SHA512',
      };
      return { firstFactor: { kind: 'Key', credentialAssertion } };
    };
    expect(await verified(person, await changed(person, factors))).toMatchObject({ kind: 'Proven' });
  },
);

test.each([
  ['path', `path = '/wallets/wa-1/transfers'`, 'ChallengeDiffers'],
  ['method', `method = 'PUT'`, 'ChallengeDiffers'],
  ['body', `body_sha256 = '${'0'.repeat(64)}'`, 'ChallengeDiffers'],
  ['approval', `approval_digest = '${'0'.repeat(64)}'`, 'ChallengeDiffers'],
  ['anchor', `anchor = 'another'`, 'ChallengeDiffers'],
  ['expiry', `date_expires = date_expires + interval '1 year'`, 'ChallengeDiffers'],
  ['list of decisions', `decided = '[]'`, 'DecidedDiffers'],
  ['consumption', 'date_consumed = NULL', 'NotConsumed'],
  ['time of consumption', `date_consumed = date_expires + interval '1 ms'`, 'ConsumedLate'],
  ['signing', 'date_signed = NULL', 'NotSigned'],
  ['credential', 'credential_uuid = NULL', 'NotSigned'],
  ['public key', `public_key = 'another'`, 'PublicKeyDiffers'],
  ['signature', `signature = 'AAAA'`, 'AssertionInvalid'],
  ['kind', `first_factor_kind = 'PasswordProtectedKey'`, 'NoSuchCredential'],
  ['kind to `Password` without a second factor', `first_factor_kind = 'Password'`, 'FactorsInsufficient'],
  ['second factor', `second_factor = '{}'`, 'NotSigned'],
])('a record proves nothing after a change of its %s', async (_name, set, reason) => {
  const person = await on.person();
  const id = await changed(person);
  await rewritten(`UPDATE user_actions SET ${set} WHERE id = $1`, [id]);
  expect(await verified(person, id)).toEqual(unproven(reason));
});

test('a record that an attacker made in the name of a colleague proves nothing', async () => {
  const [person, attacker] = await (async () => {
    const first = await on.person();
    return [first, await on.person(first.orgId)] as const;
  })();
  const id = await changed(attacker);
  await rewritten('UPDATE user_actions SET user_id = $2 WHERE id = $1', [id, person.userId]);
  expect(await verified(person, id)).toEqual(unproven('ChallengeDiffers'));
  // The challenge is computed for the colleague and signed with the attacker's key.
  const row = await on.api.database.db.read(person.orgId).row(UserActionEntity, 'WHERE t.id = $1', [id]);
  if (!row) throw new Error('the record is missing');
  const challenge = challengeOf(Buffer.from(row.nonce, 'base64url'), row);
  const { credentialAssertion } = attacker.client.factor(challenge) as { credentialAssertion: Record<string, string> };
  await rewritten('UPDATE user_actions SET challenge = $2, client_data = $3, signature = $4 WHERE id = $1', [
    ...[id, challenge, credentialAssertion['clientData'], credentialAssertion['signature']],
  ]);
  expect(await verified(person, id)).toEqual(unproven('NoSuchCredential'));
  const { credentialUuid } = person;
  await rewritten('UPDATE user_actions SET credential_uuid = $2 WHERE id = $1', [id, credentialUuid]);
  expect(await verified(person, id)).toEqual(unproven('CredentialNotCommitted'));
});

test('a record of another organisation is not found', async () => {
  const id = await changed(await on.person());
  expect(await verified(await on.person(), id)).toEqual(unproven('NoSuchAction'));
});

test('after the public key in a credential row was replaced, earlier actions of the credential are not proven', async () => {
  const person = await on.person();
  const id = await changed(person);
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  await asSuperuser(
    (client) => client.query('UPDATE credentials SET public_key = $2 WHERE id = $1', [person.credentialUuid, pem]),
    on.api.database.name,
  );
  expect(await verified(person, id)).toEqual(unproven('PublicKeyDiffers'));
});

test('a credential proves an action from its creation until its removal', async () => {
  const person = await on.person();
  const key = await on.key(person);
  const id = await changed(person, (challenge) => ({ firstFactor: key.factor(challenge) }));
  const moment = (sql: string) =>
    altered(person, `SELECT ${sql} AS at FROM credentials WHERE id = $1`, [key.uuid]) as Promise<{ at: Date }[]>;
  const [created] = await moment('date_created');
  const before = new Date((created?.at.getTime() ?? 0) - 1);
  expect(await verified(person, id, before)).toEqual(unproven('CredentialNotInForce'));
  expect(await verified(person, id, created?.at)).toMatchObject({ kind: 'Proven' });

  expect(await person.client.change('DELETE', `/auth/credentials/${key.uuid}`)).toMatchObject({ status: 200 });
  const [removed] = await moment('date_removed');
  expect(await verified(person, id)).toMatchObject({ kind: 'Proven' });
  expect(await verified(person, id, new Date((removed?.at.getTime() ?? 0) + 1))).toEqual(unproven('CredentialNotInForce'));
});

test('a password and a code are proven by the witness (a value that the API sealed at the time), which does not fit a different record', async () => {
  const person = await on.person();
  const [password, totp] = [await on.password(person), await on.totp(person)];
  const id = await changed(person, () => ({ firstFactor: password.factor(), secondFactor: totp.factor() }));
  const own = await changed(person);
  // With the database role, an attacker can copy the factors of a person with a password into another record.
  await rewritten(
    `UPDATE user_actions a SET first_factor_kind = b.first_factor_kind, credential_uuid = b.credential_uuid,
       second_factor = b.second_factor, public_key = NULL, signature = NULL, client_data = NULL
     FROM user_actions b WHERE a.id = $1 AND b.id = $2`,
    [own, id],
  );
  expect(await verified(person, own)).toEqual(unproven('WitnessInvalid'));
  await rewritten('UPDATE user_actions a SET witness = b.witness FROM user_actions b WHERE a.id = $1 AND b.id = $2', [own, id]);
  expect(await verified(person, own)).toEqual(unproven('WitnessInvalid'));
});

test('the service cannot mark a record as older than the release that began to store witnesses', async () => {
  const person = await on.person();
  const id = await changed(person);
  const refused = /the mark of earlier user actions never changes|stays as it was signed and used/;
  await expect(altered(person, 'UPDATE user_actions SET is_earlier = true WHERE id = $1', [id])).rejects.toThrow(refused);
  const columns = 'org_id, user_id, token_id, method, path, body_sha256, credential_ids, nonce, challenge, date_expires';
  const copy = `INSERT INTO user_actions (id, is_earlier, ${columns}) SELECT 'copy', true, ${columns} FROM user_actions WHERE id = $1`;
  await expect(altered(person, copy, [id])).rejects.toThrow(refused);
});
