import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Person, startApi, type TestApi } from './api';
import { Client } from './client';

export type TokenBody = {
  readonly tokenId: string;
  readonly accessToken?: string;
  readonly credId: string;
  readonly isActive: boolean;
  readonly name: string;
  readonly permissionAssignments: readonly { readonly permissionId: string; readonly operations: readonly string[] }[];
};
export type AccountBody = {
  readonly userInfo: { readonly userId: string; readonly isActive: boolean; readonly name: string };
  readonly accessTokens: readonly TokenBody[];
};

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
export const pemOf = ({ publicKey }: Keys): string => publicKey.export({ format: 'pem', type: 'spki' }).toString();

export const UNKNOWN_USER = 'us-01abc-01abc-0123456789abcdef';
export const UNKNOWN_TOKEN = 'to-01abc-01abc-0123456789abcdef';
export const UNKNOWN_PERMISSION = 'pm-01abc-01abc-0123456789abcdef';

let made = 0;

/** The API with service accounts and personal access tokens, created over HTTP. Each has a client that signs with its key. */
export async function startProgramApi(given?: TestApi) {
  const api = given ?? (await startApi());
  const { db } = api.database;
  const newKeys = (): Keys => generateKeyPairSync('ed25519');
  const clientOf = ({ accessToken = '', credId }: TokenBody, { privateKey }: Keys) =>
    new Client(api.url, { token: accessToken, credId, privateKey });

  return {
    api,
    newKeys,
    /** Creates an administrator of the given organisation, or of a new one. */
    admin: async (orgId?: string): Promise<Person> =>
      api.createPerson(orgId ?? (await api.createOrganization()), { name: 'admin' }),
    /** Creates a service account as this person. */
    account: async ({ client }: Person, body: Record<string, unknown> = {}) => {
      const keys = newKeys();
      made += 1;
      const answer = await client.change('POST', '/auth/service-accounts', {
        name: `Account ${made}`,
        publicKey: pemOf(keys),
        ...body,
      });
      if (answer.status !== 200) throw new Error(`creating an account returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      const account = answer.body as AccountBody;
      const [token] = account.accessTokens;
      if (!token) throw new Error('the service account has no token');
      return { ...account, id: account.userInfo.userId, token, client: clientOf(token, keys) };
    },
    /** Creates a personal access token of this person. */
    token: async ({ client }: Pick<Person, 'client'>, body: Record<string, unknown> = {}) => {
      const keys = newKeys();
      made += 1;
      const answer = await client.change('POST', '/auth/pats', { name: `Token ${made}`, publicKey: pemOf(keys), ...body });
      if (answer.status !== 200) throw new Error(`creating a token returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      const token = answer.body as TokenBody;
      return { ...token, id: token.tokenId, client: clientOf(token, keys) };
    },
    /** The id of the permission that `createPerson` has given this person. */
    permissionOf: async ({ orgId, userId }: Person): Promise<string> => {
      const [row] = await db
        .read(orgId)
        .select<{ id: string }>('SELECT permission_id AS id FROM permission_assignments WHERE user_id = $1', [userId]);
      return row?.id ?? '';
    },
    /** Makes a token expire now. */
    expire: (orgId: string, tokenId: string) =>
      db.withOrg(orgId, (tx) =>
        tx.query('UPDATE access_tokens SET date_expires = clock_timestamp() WHERE org_id = $1 AND id = $2', [orgId, tokenId]),
      ),
    /** The lifetime of a token in seconds. */
    secondsOf: async (orgId: string, tokenId: string): Promise<number> => {
      const [row] = await db
        .read(orgId)
        .select<{ seconds: number }>(
          `SELECT round(extract(epoch FROM date_expires - date_created))::int AS seconds FROM access_tokens WHERE id = $1`,
          [tokenId],
        );
      return row?.seconds ?? 0;
    },
    close: () => api.close(),
  };
}

export type ProgramApi = Awaited<ReturnType<typeof startProgramApi>>;
