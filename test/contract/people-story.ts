import { generateKeyPairSync } from 'node:crypto';
import { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';
import { mailTo } from '../support/mailbox';
import type { JoinedService } from '../support/service';
import { call, refusal } from './calls';

type Challenge = { readonly challenge: string; readonly temporaryAuthenticationToken: string };
type Session = { readonly token: string };

const EMPLOYEE = 'ada@example.com';
const END_USER = 'customer@example.com';
const CODE = /\b[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}\b/;

/** People register, log in, log out and recover, with the published client's steps. The admin stops the last recovery. */
export async function peopleStory(service: JoinedService, admin: Client): Promise<void> {
  const { baseUrl, orgId } = service.firstRun();
  const bearing = (token: string) => new Client(baseUrl, { ...admin.identity, token });
  const codeOf = async (subject: RegExp) => CODE.exec(await mailTo(service, EMPLOYEE, subject))?.[0] ?? '';
  const credentials = ({ challenge }: Challenge) => {
    const keys = generateKeyPairSync('ed25519');
    const [key, recoveryKey] = [createKeyCredential('Key', keys), createKeyCredential('RecoveryKey')];
    const body = { firstFactorCredential: key.attest(challenge), recoveryCredential: recoveryKey.attest(challenge) };
    return { key, recoveryKey, body, clientOf: (token: string) => new Client(baseUrl, { token, credId: key.credId, ...keys }) };
  };
  const logIn = async (key: ReturnType<typeof credentials>['key'], asked: Record<string, string>): Promise<string> => {
    const { challenge, challengeIdentifier } = await call<{ challenge: string; challengeIdentifier: string }>(
      admin,
      'createLoginChallenge',
      { body: { orgId, ...asked } },
    );
    return (await call<Session>(admin, 'login', { body: { challengeIdentifier, firstFactor: key.assert(challenge) } })).token;
  };

  await call(admin, 'createUser', { body: { email: EMPLOYEE, kind: 'CustomerEmployee' } });
  const said = { orgId, username: EMPLOYEE };
  const registrationCode = await codeOf(/registration code/i);
  const begun = await call<Challenge>(admin, 'createRegistrationChallenge', { body: { ...said, registrationCode } });
  const first = credentials(begun);
  await call(bearing(begun.temporaryAuthenticationToken), 'register', { body: first.body });
  await call(admin, 'resendRegistrationCode', { body: said });

  await call(admin, 'sendLoginCode', { body: said });
  const session = await logIn(first.key, { username: EMPLOYEE, loginCode: await codeOf(/code to log in|login code/i) });
  await call(first.clientOf(session), 'logout', { body: { allSessions: true } });
  await refusal(first.clientOf(session), 'logout', { body: {} });

  const recover = async (challenge: Challenge, recoveryKey: typeof first.recoveryKey) => {
    const next = credentials(challenge);
    const signed = Buffer.from(JSON.stringify(next.body)).toString('base64url');
    const body = { recovery: recoveryKey.assert(signed), newCredentials: next.body };
    await call(bearing(challenge.temporaryAuthenticationToken), 'recover', { body });
    return next;
  };
  await call(admin, 'sendRecoveryCode', { body: said });
  const verificationCode = await codeOf(/recovery code/i);
  const asked = { ...said, verificationCode, credentialId: first.recoveryKey.credId };
  const second = await recover(await call<Challenge>(admin, 'createRecoveryChallenge', { body: asked }), first.recoveryKey);
  await logIn(second.key, { username: EMPLOYEE });

  const program = await programOf(service, admin);
  const invited = { body: { email: END_USER, kind: 'EndUser', externalId: 'customer-1' } };
  const welcome = await call<Challenge>(program, 'createDelegatedRegistrationChallenge', invited);
  const customer = credentials(welcome);
  await call(bearing(welcome.temporaryAuthenticationToken), 'registerEndUser', {
    body: { ...customer.body, wallets: [{ network: 'EthereumSepolia', name: 'Mine' }] },
  });
  await call<Session>(program, 'delegatedLogin', { body: { username: END_USER } });
  const lost = { username: END_USER, credentialId: customer.recoveryKey.credId };
  const back = await recover(
    await call<Challenge>(program, 'createDelegatedRecoveryChallenge', { body: lost }),
    customer.recoveryKey,
  );

  await call(admin, 'updateOrganizationSettings', { body: { recoveryWaitHours: 24 } });
  const again = { username: END_USER, credentialId: back.recoveryKey.credId };
  await recover(await call<Challenge>(program, 'createDelegatedRecoveryChallenge', { body: again }), back.recoveryKey);
  const { items } = await call<{ readonly items: readonly { readonly id: string; readonly status: string }[] }>(
    admin,
    'listRecoveries',
    { query: '?limit=1' },
  );
  await call(admin, 'stopRecovery', { params: { recoveryId: items.find(({ status }) => status === 'Waiting')?.id ?? '' } });
}

/** Creates a service account with every permission. */
async function programOf(service: JoinedService, admin: Client): Promise<Client> {
  const keys = generateKeyPairSync('ed25519');
  const publicKey = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const permissions = await admin.get('/permissions');
  const { items } = permissions.body as { items: readonly { id: string; name: string }[] };
  const permissionId = items.find(({ name }) => name === 'ManagedFullAdminAccess')?.id;
  const { accessTokens } = await call<{ accessTokens: readonly { accessToken: string; credId: string }[] }>(
    admin,
    'createServiceAccount',
    { body: { name: 'Shop', publicKey, permissionId } },
  );
  const [{ accessToken = '', credId = '' } = {}] = accessTokens;
  return new Client(service.firstRun().baseUrl, { token: accessToken, credId, privateKey: keys.privateKey });
}
