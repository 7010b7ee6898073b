import { issueCode } from '../../application/login/one-time-codes';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import { createCodeDigest } from '../../platform/one-time-codes';
import { startApi, type TestApi } from './api';
import { createKeyCredential, type KeyCredential } from './key-credentials';
import { mailsFor, type QueuedMail } from './mails';
import { waitUntil } from './wait-until';

export type Said = { readonly status: number; readonly body: never; readonly headers: Headers };
export type Challenge = {
  readonly user: { readonly id: string };
  readonly temporaryAuthenticationToken: string;
  readonly challenge: string;
  readonly otpUrl: string;
};
export type Invited = { readonly orgId: string; readonly userId: string; readonly username: string; readonly code: string };

export type RegistrationApi = {
  readonly api: TestApi;
  /** Makes a call with this token, or without a token. */
  readonly say: (method: 'POST' | 'PUT' | 'GET', path: string, body?: unknown, token?: string) => Promise<Said>;
  readonly mailsOf: (person: Pick<Invited, 'orgId' | 'userId'>) => Promise<QueuedMail[]>;
  /** Waits for a mail, and returns the code of the latest. */
  readonly newCode: (person: Pick<Invited, 'orgId' | 'userId'>) => Promise<string>;
  /** Creates an invited user with a registration code. `user` replaces members of the row. */
  readonly invite: (orgId: string, user?: Partial<UserEntity>) => Promise<Invited>;
  readonly begin: (invited: Invited) => Promise<Challenge>;
  /** Invites a user in a new organisation, and begins the registration. */
  readonly newcomer: () => Promise<Invited & Challenge>;
  readonly userOf: (person: Pick<Invited, 'orgId' | 'userId'>) => Promise<UserEntity | undefined>;
  readonly close: () => Promise<void>;
};

const HOUR_MS = 3_600_000;

export async function startRegistrationApi(options: Parameters<typeof startApi>[0] = {}): Promise<RegistrationApi> {
  const api = await startApi(options);
  const { dataKek } = api;
  const { db } = api.database;
  const codeDigest = createCodeDigest(Buffer.from(dataKek, 'hex'));

  const say: RegistrationApi['say'] = async (method, path, body, token) => {
    const response = await fetch(`${api.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as never };
  };
  const invite: RegistrationApi['invite'] = async (orgId, user = {}) => {
    const userId = newId('user');
    const username = `${userId.slice(-10)}@example.com`;
    const code = await db.withOrg(orgId, async (tx) => {
      const row = { orgId, id: userId, username, name: username, kind: 'CustomerEmployee' as const, isActive: true };
      await tx.insert(UserEntity, { ...row, isRegistered: false, isServiceAccount: false, ...user });
      return issueCode(tx, { codeDigest }, { userId, purpose: 'Registration' }, new Date(Date.now() + HOUR_MS));
    });
    return { orgId, userId, username: user.username ?? username, code };
  };
  const begin: RegistrationApi['begin'] = async ({ orgId, username, code }) => {
    const answer = await say('POST', '/auth/registration/init', { orgId, username, registrationCode: code });
    if (answer.status !== 200) throw new Error(`init returned ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const mailsOf: RegistrationApi['mailsOf'] = ({ orgId, userId }) => mailsFor(db, dataKek, orgId, userId);
  return {
    api,
    say,
    invite,
    begin,
    mailsOf,
    newCode: (person) => waitUntil('the code', async () => (await mailsOf(person)).at(-1)?.data['code']),
    newcomer: async () => {
      const invited = await invite(await api.createOrganization());
      return { ...invited, ...(await begin(invited)) };
    },
    userOf: ({ orgId, userId }) => db.read(orgId).row(UserEntity, 'WHERE t.id = $1', [userId]),
    close: () => api.close(),
  };
}

/** The body that completes a registration with one key. */
export const withKey = (challenge: string, key: KeyCredential = createKeyCredential()) => ({
  firstFactorCredential: key.attest(challenge),
});

/** The answer to every unknown caller. */
export const NOT_AUTHORIZED = { error: { id: 'Unauthorized', status: 401, message: 'Not Authorized.' } };
