import { randomBytes } from 'node:crypto';
import { openSession } from '../../application/login/sessions';
import { newId } from '../../platform/ids';
import { type Person, startApi } from './api';
import { createAuthenticator, type PasskeyAlgorithm } from './authenticator';
import { type Answer, Client } from './client';
import { createKeyCredential, type KeyKind } from './key-credentials';
import { asSuperuser } from './roles';
import { codeOf } from './totp';

export type Challenge = {
  readonly challenge: string;
  readonly challengeIdentifier: string;
  readonly otpUrl: string;
};
export type Body = Readonly<Record<string, unknown>>;

/** A credential of a person, and the function that answers a challenge with the credential. */
export type Held = { readonly uuid: string; readonly factor: (challenge: string) => Body };

const PATH = '/auth/credentials';
const STEP_MS = 30_000;

/** The API with people who add credentials over HTTP, as a client does. */
export async function startCredentialApi(options: Parameters<typeof startApi>[0] = {}) {
  const api = await startApi(options);
  const { db } = api.database;

  const begin = async (person: Pick<Person, 'client'>, kind: string): Promise<Challenge> => {
    const { status, body } = await person.client.post(`${PATH}/init`, { kind });
    if (status !== 200) throw new Error(`init returned ${status}: ${JSON.stringify(body)}`);
    return body as Challenge;
  };
  const create = (person: Pick<Person, 'client'>, { challengeIdentifier }: Challenge, attestation: Body) =>
    person.client.change('POST', PATH, { credentialName: 'Mine', ...attestation, challengeIdentifier });
  const added = ({ status, body }: Answer): string => {
    if (status !== 200) throw new Error(`create returned ${status}: ${JSON.stringify(body)}`);
    return (body as { credentialUuid: string }).credentialUuid;
  };
  const anonymous = async (path: string, body: Body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };

  return {
    api,
    begin,
    create,
    anonymous,
    person: async (orgId?: string): Promise<Person> => api.createPerson(orgId ?? (await api.createOrganization())),
    key: async (person: Person, kind: KeyKind = 'Key'): Promise<Held> => {
      const key = createKeyCredential(kind);
      const challenge = await begin(person, kind);
      return { uuid: added(await create(person, challenge, key.attest(challenge.challenge))), factor: key.assert };
    },
    passkey: async (person: Person, algorithm?: PasskeyAlgorithm) => {
      const authenticator = createAuthenticator(algorithm);
      const challenge = await begin(person, 'Fido2');
      const credentialInfo = authenticator.attest(challenge.challenge);
      const uuid = added(await create(person, challenge, { credentialKind: 'Fido2', credentialInfo }));
      const factor = (text: string): Body => ({ kind: 'Fido2', credentialAssertion: authenticator.assert(text) });
      return { uuid, factor, authenticator };
    },
    password: async (person: Person, password = randomBytes(12).toString('hex')) => {
      const body = { credentialKind: 'Password', credentialInfo: { password } };
      const uuid = added(await create(person, await begin(person, 'Password'), body));
      return { uuid, password, factor: (): Body => ({ kind: 'Password', password }) };
    },
    /** The confirmation of the seed uses up the current code, so the factor is the code of the next step. */
    totp: async (person: Person) => {
      const challenge = await begin(person, 'Totp');
      const body = { credentialKind: 'Totp', credentialInfo: { otpCode: codeOf(challenge.otpUrl) } };
      const uuid = added(await create(person, challenge, body));
      const codeAt = (stepsAhead: number) => codeOf(challenge.otpUrl, Date.now() + stepsAhead * STEP_MS);
      return { uuid, codeAt, factor: (): Body => ({ kind: 'Totp', otpCode: codeAt(1) }) };
    },
    /** Creates a code for a further credential. */
    code: async (person: Person): Promise<string> => {
      const expiration = new Date(Date.now() + 55_000).toISOString();
      const { body } = await person.client.change('POST', `${PATH}/code`, { expiration });
      return (body as { code: string }).code;
    },
    /** Opens a session of the person with this credential. */
    session: async (person: Person, credentialUuid: string): Promise<Client> => {
      const token = await db.withOrg(person.orgId, (tx) => openSession(tx, api.tokens, person.userId, credentialUuid));
      return new Client(api.url, { ...person, token });
    },
    /** Binds one of the person's keys to a token, so that only this token can sign with the key. */
    boundTo: async (person: Person, tokenId: string, { uuid }: Held): Promise<void> => {
      await db.withOrg(person.orgId, async (tx) => {
        await tx.query('UPDATE credentials SET is_token_bound = true WHERE org_id = $1 AND id = $2', [person.orgId, uuid]);
        await tx.query(`UPDATE access_tokens SET credential_id = $3, kind = 'Pat', name = $2 WHERE org_id = $1 AND id = $2`, [
          person.orgId,
          tokenId,
          uuid,
        ]);
      });
    },
    /** Signs the challenge for a change that the test does not carry out, and returns the answer. */
    sign: async (client: Client, factorsOf: (challenge: string) => Body) => {
      const { challenge, challengeIdentifier } = (await client.announce('POST', '/v2/policies', '{}')).body as Challenge;
      return client.post('/auth/action', { challengeIdentifier, ...factorsOf(challenge) });
    },
    credentials: async (person: Person) =>
      db.read(person.orgId).select<{ id: string; kind: string; secret: string | null; isActive: boolean; isRemoved: boolean }>(
        `SELECT id, kind, secret, is_active AS "isActive", date_removed IS NOT NULL AS "isRemoved" FROM credentials
           WHERE user_id = $1 ORDER BY id`,
        [person.userId],
      ),
    changedAt: async (person: Person): Promise<Date | null> => {
      const [row] = await db
        .read(person.orgId)
        .select<{ date: Date | null }>('SELECT date_credentials_changed AS date FROM users WHERE id = $1', [person.userId]);
      return row?.date ?? null;
    },
    /** Ends the pauses after wrong guesses, because a pause would affect the next test. */
    forgetGuesses: () => asSuperuser((client) => client.query('DELETE FROM lockouts'), api.database.name),
    /** A valid id that no credential has. */
    unknown: () => newId('credential'),
  };
}

export type CredentialApi = Awaited<ReturnType<typeof startCredentialApi>>;
