import { randomBytes } from 'node:crypto';
import { changedOidcSettings, OIDC_SETTING, OidcSettingsInput } from '../../application/login/oidc-settings';
import { organizationStore } from '../../entities/organizations/organization.store';
import { UserEntity } from '../../entities/users/user.entity';
import { createIdentityProviders } from '../../platform/identity-providers';
import { newId } from '../../platform/ids';
import { createSecretBox } from '../../platform/secret-box';
import { startApi, type TestApi } from './api';
import { CLIENT, REDIRECT_URI, startIdentityProvider, type TestIdentityProvider } from './identity-provider';

type Answer = { readonly status: number; readonly body: { readonly [member: string]: unknown } };

/** An API process that may call one identity provider of a test on loopback. */
export type OidcApi = TestApi & {
  readonly provider: TestIdentityProvider;
  readonly post: (path: string, body: unknown, token?: string) => Promise<Answer>;
  readonly get: (path: string, token: string) => Promise<Answer>;
  /** Creates an organisation with these single sign-on settings. By default, it onboards every user of example.com. */
  readonly createOrg: (sso?: Record<string, unknown>) => Promise<string>;
  readonly setSso: (orgId: string, sso: Record<string, unknown>) => Promise<void>;
  /** The secret box and the identity providers of the API process. */
  readonly sealing: Parameters<typeof changedOidcSettings>[0];
  readonly addUser: (orgId: string, user: Partial<UserEntity>) => Promise<string>;
  readonly findUser: (orgId: string, username: string) => Promise<UserEntity | undefined>;
  /** Begins a sign-in and follows it as a browser. Returns the code and the state that the page must send. */
  readonly browse: (orgId: string, account: string, begin?: Begin) => Promise<{ readonly code: string; readonly state: string }>;
  /** Carries out a whole sign-in, and returns the answer of the completing operation. */
  readonly signIn: (orgId: string, account: string, begin?: Begin) => Promise<Answer>;
};

type Begin = { readonly clientId?: string; readonly pair?: 'sso' | 'oidc' };

/** The answer to every refused sign-in, whatever the reason. */
export const REFUSED = { status: 401, body: { error: { id: 'Unauthorized', status: 401, message: 'Not Authorized.' } } };

export const EMPLOYEES = { issuer: '', ...CLIENT, emailDomains: ['example.com'], onboardsNewUsers: true };

export async function startOidcApi(): Promise<OidcApi> {
  const provider = await startIdentityProvider();
  const dataKek = randomBytes(32);
  const env = { INTERNAL_IDENTITY_PROVIDERS: provider.issuer };
  const api = await startApi({ dataKek: dataKek.toString('hex'), env }).catch(async (error: unknown) => {
    await provider.close();
    throw error;
  });
  const { db } = api.database;
  const sealing = {
    ssoSecrets: createSecretBox(dataKek, 'sso-secrets'),
    identityProviders: createIdentityProviders([provider.issuer]),
  };

  const call = async (method: string, path: string, body: unknown, token: string | undefined): Promise<Answer> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(`${api.url}${path}`, { method, headers, ...content });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const post: OidcApi['post'] = (path, body, token) => call('POST', path, body, token);
  const setSso: OidcApi['setSso'] = async (orgId, sso) => {
    const given = OidcSettingsInput.parse(sso);
    await db.withOrg(orgId, async (tx) => {
      const changed = changedOidcSettings(sealing, orgId, { provider: null, socialProviders: [] }, given);
      await organizationStore.changeSettings(tx, { [OIDC_SETTING]: changed });
    });
  };
  const browse: OidcApi['browse'] = async (orgId, account, { clientId = CLIENT.clientId, pair = 'sso' } = {}) => {
    const begun = await post(`/auth/login/${pair}/init`, { orgId, clientId, redirectUri: REDIRECT_URI });
    if (begun.status !== 200) throw new Error(`init returned ${begun.status}: ${JSON.stringify(begun.body)}`);
    return provider.signIn(String(begun.body['ssoRedirectUrl']), account);
  };

  return {
    ...api,
    provider,
    post,
    get: (path, token) => call('GET', path, undefined, token),
    setSso,
    sealing,
    createOrg: async (sso = {}) => {
      const orgId = await api.createOrganization();
      await setSso(orgId, { provider: { ...EMPLOYEES, issuer: provider.issuer }, ...sso });
      return orgId;
    },
    addUser: async (orgId, user) => {
      const id = newId('user');
      const fresh = { name: 'Somebody', kind: 'CustomerEmployee' as const, credentialUuid: '', isActive: true };
      const row = { orgId, id, username: `${id}@example.com`, ...fresh, isRegistered: true, isServiceAccount: false, ...user };
      await db.withOrg(orgId, (tx) => tx.insert(UserEntity, row));
      return id;
    },
    findUser: (orgId, username) =>
      db.read(orgId).row(UserEntity, 'WHERE t.username = $1 AND t.date_archived IS NULL', [username]),
    browse,
    signIn: async (orgId, account, begin) => post(`/auth/login/${begin?.pair ?? 'sso'}`, await browse(orgId, account, begin)),
    close: async () => {
      await Promise.all([api.close(), provider.close()]);
    },
  };
}
