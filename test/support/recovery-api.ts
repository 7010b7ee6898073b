import type { Own, Person } from './api';
import { createKeyCredential, type KeyCredential } from './key-credentials';
import { type SignInApi, startSignInApi } from './sign-in-api';

type Challenge = {
  readonly challenge: string;
  readonly temporaryAuthenticationToken: string;
  readonly allowedRecoveryCredentials: readonly { readonly id: string; readonly encryptedRecoveryKey: string }[];
};

/** The challenge that a recovery key signs: the JSON of the new credentials. */
export const challengeOf = (newCredentials: unknown): string =>
  Buffer.from(JSON.stringify(newCredentials), 'utf8').toString('base64url');

/** The API with people who have a recovery key, and the steps with which published clients recover. */
export async function startRecoveryApi(options: Own = {}) {
  const api = await startSignInApi({}, options);

  /** Begins a recovery with a mailed code. */
  const begin = async (person: Person, key: Pick<KeyCredential, 'credId'>): Promise<Challenge> => {
    const { orgId, username } = person;
    const earlier = (await api.mails(orgId, 'RecoveryCode')).filter(({ userId }) => userId === person.userId).length;
    await api.call('POST', '/auth/recover/user/code', { orgId, username });
    const verificationCode = await api.mailedCode(person, 'RecoveryCode', earlier + 1);
    const asked = { orgId, username, verificationCode, credentialId: key.credId };
    const { status, body, text } = await api.call('POST', '/auth/recover/user/init', asked);
    if (status !== 200) throw new Error(`init returned ${status}: ${text}`);
    return body as Challenge;
  };
  /** Makes new credentials over the challenge of a recovery, with their keys. */
  const renew = ({ challenge }: Pick<Challenge, 'challenge'>) => {
    const key = createKeyCredential();
    const recoveryKey = createKeyCredential('RecoveryKey');
    const newCredentials = {
      firstFactorCredential: key.attest(challenge),
      recoveryCredential: recoveryKey.attest(challenge),
    };
    return { key, recoveryKey, newCredentials };
  };
  const complete = (token: string, newCredentials: unknown, recovery: unknown) =>
    api.call('POST', '/auth/recover/user', { recovery, newCredentials }, token);

  return {
    ...api,
    /** Creates a person with a recovery key. */
    createRecoverable: async (orgId: string, given: Parameters<SignInApi['createPerson']>[1] = {}) => {
      const person = await api.createPerson(orgId, given);
      return { ...person, recoveryKey: await api.addKey(person, 'RecoveryKey') };
    },
    beginRecovery: begin,
    renew,
    complete,
    /** Carries out a whole recovery, as an honest client does. */
    recover: async (person: Person & { readonly recoveryKey: KeyCredential }) => {
      const challenge = await begin(person, person.recoveryKey);
      const made = renew(challenge);
      const recovery = person.recoveryKey.assert(challengeOf(made.newCredentials));
      return { ...made, answer: await complete(challenge.temporaryAuthenticationToken, made.newCredentials, recovery) };
    },
    /** Sets the hours for which recoveries of the organisation wait. */
    setWait: (orgId: string, hours: number) =>
      api.change(orgId, `UPDATE organizations SET settings = settings || $2::jsonb WHERE id = $1`, [
        JSON.stringify({ recoveryWaitHours: hours }),
      ]),
    /** The sorted addresses to which a notice about this person was mailed. */
    toldOf: async (
      { orgId, userId }: Pick<Person, 'orgId' | 'userId'>,
      template: `Recovery${'Started' | 'Stopped' | 'Completed'}` | 'ReissueStarted',
    ) =>
      (await api.mails(orgId, template))
        .filter((mail) => mail.userId === userId)
        .map(({ to }) => to)
        .sort(),
  };
}

export type RecoveryApi = Awaited<ReturnType<typeof startRecoveryApi>>;
