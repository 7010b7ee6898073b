import { type Attestation, attest, seedContext } from '../../application/credentials/attestations';
import { mailContext } from '../../application/mails/mails';
import type { IdentityServices } from '../../application/users/identity-services';
import type { MailData, MailTemplate } from '../../domain/mails';
import { credentialStore } from '../../entities/credentials/credential.store';
import { MailEntity } from '../../entities/mails/mail.entity';
import { createDecoys } from '../../platform/decoy-credentials';
import { newId } from '../../platform/ids';
import { createCodeDigest } from '../../platform/one-time-codes';
import { newSeed, seedUrl } from '../../platform/one-time-passwords';
import { createSecretBox } from '../../platform/secret-box';
import { type Own, type Person, startApi } from './api';
import { createAuthenticator } from './authenticator';
import { createKeyCredential, type KeyKind } from './key-credentials';
import { codeOf } from './totp';
import { waitUntil } from './wait-until';

type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly text: string };
type Owner = Pick<Person, 'orgId' | 'userId' | 'username'>;
type Challenge = { readonly challenge: string; readonly challengeIdentifier: string };
type Factors = { readonly firstFactor: unknown; readonly secondFactor?: unknown };

const CHALLENGE = 'a challenge of the test';
const PARALLEL = 40;

/** The API with people who have credentials of every kind and read their mail. */
export async function startSignInApi(env: Readonly<Record<string, string>> = {}, options: Own = {}) {
  const api = await startApi(Object.keys(env).length === 0 ? options : { ...options, env });
  const { dataKek } = api;
  const dataKey = Buffer.from(dataKek, 'hex');
  const { db } = api.database;
  const services: IdentityServices = {
    relyingParty: { id: 'localhost', name: 'Strongroom', origins: ['http://localhost:3000'] },
    credentialSecrets: createSecretBox(dataKey, 'credential-secrets'),
    signedBodies: createSecretBox(dataKey, 'user-actions'),
    codeDigest: createCodeDigest(dataKey),
    decoys: createDecoys(dataKey),
    lockout: { guess: (_guessed, tryIt) => tryIt(true) },
    mailContents: createSecretBox(dataKey, 'mails'),
  };

  const call = async (method: string, path: string, body: unknown, token?: string): Promise<Answer> => {
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${api.url}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...authorization },
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, text };
  };
  const add = async ({ orgId, userId }: Owner, attestation: unknown, sealedSeed?: string): Promise<string> => {
    const attested = await attest(services, orgId, { challenge: CHALLENGE, sealedSeed }, attestation as Attestation);
    const id = newId('credential');
    await db.withOrg(orgId, (tx) => credentialStore.add(tx, { ...attested, id, userId, isTokenBound: false }));
    return id;
  };
  const mails = async <T extends MailTemplate>(orgId: string, template: T) => {
    const rows = await db.read(orgId).rows(MailEntity, 'WHERE t.template = $1 ORDER BY t.id', [template]);
    return rows.map(({ id, userId, sealedContent }) => {
      const content: unknown = JSON.parse(services.mailContents.open(sealedContent ?? '', mailContext(orgId, id)));
      return { userId, ...(content as { readonly to: string; readonly data: MailData[T] }) };
    });
  };
  const begin = async (body: unknown): Promise<Challenge> => {
    const { status, body: challenge, text } = await call('POST', '/auth/login/init', body);
    if (status !== 200) throw new Error(`init returned ${status}: ${text}`);
    return challenge as Challenge;
  };

  return {
    ...api,
    db,
    services,
    call,
    mails,
    begin,
    /** Adds a raw key to the person. */
    addKey: async (owner: Owner, kind: KeyKind = 'Key') => {
      const key = createKeyCredential(kind);
      return { ...key, uuid: await add(owner, key.attest(CHALLENGE)) };
    },
    addPasskey: async (owner: Owner) => {
      const passkey = createAuthenticator('ES256', Buffer.from(owner.userId).toString('base64url'));
      const uuid = await add(owner, { credentialKind: 'Fido2', credentialInfo: passkey.attest(CHALLENGE) });
      const factor = (...args: Parameters<typeof passkey.assert>) => ({
        kind: 'Fido2',
        credentialAssertion: passkey.assert(...args),
      });
      return { ...passkey, uuid, factor };
    },
    addPassword: (owner: Owner, password: string) => add(owner, { credentialKind: 'Password', credentialInfo: { password } }),
    /** Adds one-time passwords with a seed that was confirmed earlier. Returns the address that an app reads. */
    addTotp: async (owner: Owner): Promise<string> => {
      const seed = newSeed();
      const url = seedUrl(seed, owner.username, 'Strongroom');
      const sealed = services.credentialSecrets.seal(seed, seedContext(owner.orgId));
      const uuid = await add(owner, { credentialKind: 'Totp', credentialInfo: { otpCode: codeOf(url) } }, sealed);
      await db.withOrg(owner.orgId, (tx) =>
        tx.query('UPDATE credentials SET last_step = NULL WHERE org_id = $1 AND id = $2', [owner.orgId, uuid]),
      );
      return url;
    },
    /** Begins a login, and completes it with the factors that `factors` makes of the challenge. */
    logIn: async (asked: Record<string, unknown>, factors: (challenge: string) => Factors): Promise<Answer> => {
      const { challenge, challengeIdentifier } = await begin(asked);
      return call('POST', '/auth/login', { challengeIdentifier, ...factors(challenge) });
    },
    /** Waits for `count` mails of this template to the user, and returns the code in the last mail. */
    mailedCode: async ({ orgId, userId }: Owner, template: 'LoginCode' | 'RecoveryCode', count = 1): Promise<string> => {
      const mail = await waitUntil(`mail ${count} of ${template}`, async () => {
        const own = (await mails(orgId, template)).filter((one) => one.userId === userId);
        return own.length >= count && own.at(-1);
      });
      return mail.data.code;
    },
    /** Makes `PARALLEL` calls at the same moment, and returns the number of answers with each status. */
    inParallel: async (once: () => Promise<{ readonly status: number }>): Promise<Record<number, number>> => {
      const answers = await Promise.all(Array.from({ length: PARALLEL }, once));
      const counted: Record<number, number> = {};
      for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
      return counted;
    },
    change: (orgId: string, sql: string, values: readonly unknown[]) =>
      db.withOrg(orgId, (tx) => tx.query(sql, [orgId, ...values])),
  };
}

export type SignInApi = Awaited<ReturnType<typeof startSignInApi>>;

/** The answer to every refused caller whom the service does not know. */
export const NOT_AUTHORIZED = { error: { id: 'Unauthorized', status: 401, message: 'Not Authorized.' } };

/** The form of a value: its members and their types. */
export function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, formOf(member)]));
}
