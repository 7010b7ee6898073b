import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as PgClient } from 'pg';
import { freePort } from '../../local/free-port';
import { type Answer, Client } from '../support/client';
import { createKeyCredential, type KeyCredential } from '../support/key-credentials';
import { startMailServer, type TestMailServer } from '../support/mail-server';
import { createService, type Service } from '../support/service';
import { ok, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

const ROOT = join(__dirname, '..', '..');
const TEN_ETHER = 10n ** 19n;

export type Person = { readonly userId: string; readonly username: string; readonly key: KeyCredential; readonly client: Client };
export type DatabaseRole = 'app' | 'worker';
type Ports = Readonly<Record<'api' | 'postgres' | 'temporal' | 'chain', number>>;

/** An organisation that Ada founded. If a policy requires approval, Ben and Cyd must both approve. */
export type Office = {
  readonly orgId: string;
  /** A full administrator. */
  readonly ada: Person;
  readonly ben: Person;
  readonly cyd: Person;
  /** A wallet with ten ether. Transfers wait for Ben and Cyd unless the wallet is `free`. */
  readonly wallet: (how?: 'free') => Promise<WalletBody & { readonly keyId: string }>;
  /** Tags the wallet, and makes transfers from wallets with the tag wait for Ben and Cyd. */
  readonly tagged: (wallet: Pick<WalletBody, 'id'>, tag: string) => Promise<void>;
  readonly decide: (by: Person, approvalId: string | undefined, value?: 'Approved' | 'Denied') => Promise<Answer>;
};

export type Installation = {
  readonly service: Service;
  readonly ports: Ports;
  readonly baseUrl: string;
  /** The passwords of the database roles. */
  readonly passwords: Readonly<Record<string, string>>;
  /** The operator's key, which is not on any machine of the service. */
  readonly operatorKey: KeyObject;
  readonly say: (path: string, body: unknown, token?: string) => Promise<never>;
  readonly signIn: (orgId: string, username: string, key: KeyCredential) => Promise<string>;
  readonly createOffice: (name: string) => Promise<Office>;
  /** Runs a statement as a role of the service. Anyone with the password may specify any organisation. */
  readonly as: (role: DatabaseRole, orgId: string, sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** Runs a statement as the superuser, to read rows and to change dates as no role of the service can. */
  readonly asOwnerOfAll: (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  readonly balanceOf: (address: string) => Promise<bigint>;
  /** The number of transactions from this address in blocks. */
  readonly sentBy: (address: string) => Promise<number>;
  /** Every response of the service, every result from its database, and every mail. */
  readonly answered: () => string;
  /** The address of every mail that was sent. */
  readonly mailedTo: () => readonly string[];
  readonly close: () => Promise<void>;
};
type Row = Readonly<Record<string, never>>;

/** The body of a policy that requires the approval of Ben and Cyd. */
export const asking = (activityKind: string, { ben, cyd }: Pick<Office, 'ben' | 'cyd'>, filters?: unknown) => ({
  ...{ name: `Before ${activityKind}`, activityKind, rule: { kind: 'AlwaysTrigger' } },
  ...(filters === undefined ? {} : { filters }),
  action: {
    kind: 'RequestApproval',
    approvalGroups: [{ name: 'Officers', quorum: 2, approvers: { userId: { in: [ben.userId, cyd.userId] } } }],
  },
});

/**
 * The whole service with `NODE_ENV=production` on a local test network. Each process has its own database role, and the switches
 * of the signer are off unless `more` switches them on. Later changes of `more` are in the environment of the next start.
 */
export async function startInstallation(more: Record<string, string> = {}): Promise<Installation> {
  const mail = await startMailServer();
  const operator = generateKeyPairSync('ed25519');
  const operatorHex = operator.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const ports = { api: await freePort(), postgres: await freePort(), temporal: await freePort(), chain: await freePort() };
  const variables = Object.assign(more, {
    ...{ NODE_ENV: 'production', TEMPORAL_TLS: 'false', WEBHOOK_ALLOW_LOOPBACK: 'false', CODEC_PORT: '0' },
    ...{ SIGNER_EXPORT: '', SIGNER_HASH: '', SIGNER_CHAINLESS_TYPED_DATA: '', SIGNER_ARITHMETIC: 'native' },
    ...more,
    ...{ SIGNER_OPERATOR_KEY: operatorHex },
    ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Strongroom <strongroom@localhost>' },
    ...{ PORT: String(ports.api), POSTGRES_PORT: String(ports.postgres) },
    ...{ TEMPORAL_PORT: String(ports.temporal), CHAIN_PORT: String(ports.chain) },
  });
  const service = await createService(variables);
  try {
    await service.start();
    return installationOf(service, mail, ports, operator.privateKey);
  } catch (error) {
    await service.close();
    await mail.close();
    throw error;
  }
}

function installationOf(service: Service, mail: TestMailServer, ports: Ports, operatorKey: KeyObject): Installation {
  const baseUrl = `http://127.0.0.1:${ports.api}`;
  const passwords = JSON.parse(readFileSync(join(service.dataFolder, 'secrets', 'database.json'), 'utf8')) as Record<
    string,
    string
  >;

  const connected = async (user: string, password: string | undefined, statements: readonly Statement[]) => {
    const client = new PgClient({
      host: '127.0.0.1',
      port: ports.postgres,
      user,
      password: password ?? '',
      database: 'strongroom',
    });
    await client.connect();
    try {
      let rows: readonly Row[] = [];
      for (const [sql, values = []] of statements) rows = (await client.query<Row>(sql, [...values])).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  const answers: string[] = [];
  const as: Installation['as'] = async (role, orgId, sql, values) => {
    const rows = await connected(`strongroom_${role}`, passwords[role], [
      [`SELECT set_config('strongroom.org_id', $1, false)`, [orgId]],
      [sql, values],
    ]);
    answers.push(JSON.stringify(rows));
    return rows;
  };
  const stopListening = listenToFetch((text) => answers.push(text));
  const asOwnerOfAll: Installation['asOwnerOfAll'] = (sql, values) =>
    connected('postgres', passwords['superuser'], [[sql, values]]);

  const say: Installation['say'] = async (path, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as never;
  };
  const signIn: Installation['signIn'] = async (orgId, username, key) => {
    const login: { challenge: string; challengeIdentifier: string } = await say('/auth/login/init', { orgId, username });
    const answer = { challengeIdentifier: login.challengeIdentifier, firstFactor: key.assert(login.challenge) };
    const { token }: { token: string } = await say('/auth/login', answer);
    return token;
  };
  const rpc = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${ports.chain}`, { method: 'POST', headers, body });
    return ((await response.json()) as { readonly result: string }).result;
  };

  return {
    ...{ service, ports, baseUrl, say, signIn, as, asOwnerOfAll, passwords, operatorKey },
    createOffice: (name) => createOffice({ service, mail, baseUrl, say, signIn, asOwnerOfAll, rpc }, name),
    balanceOf: async (address) => BigInt(await rpc('eth_getBalance', [address, 'latest'])),
    sentBy: async (address) => Number(await rpc('eth_getTransactionCount', [address, 'latest'])),
    answered: () => [...answers, ...mail.arrived.map(({ text = '' }) => text)].join('\n'),
    mailedTo: () => mail.arrived.flatMap(({ envelopeTo }) => envelopeTo),
    close: async () => {
      stopListening();
      await service.close();
      await mail.close();
    },
  };
}

/** Calls `hear` with every HTTP response, until the returned function is called. */
function listenToFetch(hear: (text: string) => void): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    hear(await response.clone().text());
    return response;
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

type Statement = readonly [sql: string, values?: readonly unknown[] | undefined];

type Founding = Pick<Installation, 'service' | 'baseUrl' | 'say' | 'signIn' | 'asOwnerOfAll'> & {
  readonly mail: TestMailServer;
  readonly rpc: (method: string, params: readonly unknown[]) => Promise<string>;
};

async function createOffice(founding: Founding, name: string): Promise<Office> {
  const { service, mail, baseUrl, say, signIn, asOwnerOfAll, rpc } = founding;
  const address = (who: string) => `${who}@${name}.example`;
  // During a blocking wait this process would not notice closed connections, and the next request would use one of them.
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts', 'operator.mjs'), 'org:create', '--name', name, '--admin-email', address('ada')],
    { encoding: 'utf8', env: { ...process.env, ...service.env } },
  );
  const orgId = /or-\S+/.exec(stdout)?.[0];
  const adaId = /us-\S+/.exec(stdout)?.[0];
  const firstCode = /Registration code\s+(\S+)/.exec(stdout)?.[1];
  if (orgId === undefined || adaId === undefined || firstCode === undefined) throw new Error(`org:create: ${stdout}${stderr}`);

  const register = async (userId: string, username: string, registrationCode: string): Promise<Person> => {
    const keys = generateKeyPairSync('ed25519');
    const key = createKeyCredential('Key', keys);
    const begun: { challenge: string; temporaryAuthenticationToken: string } = await say('/auth/registration/init', {
      ...{ orgId, username, registrationCode },
    });
    await say('/auth/registration', { firstFactorCredential: key.attest(begun.challenge) }, begun.temporaryAuthenticationToken);
    const token = await signIn(orgId, username, key);
    return { userId, username, key, client: new Client(baseUrl, { token, credId: key.credId, privateKey: keys.privateKey }) };
  };
  const ada = await register(adaId, address('ada'), firstCode);
  const { items } = ok(await ada.client.get('/permissions')) as { readonly items: readonly { id: string; name: string }[] };
  const permissionId = items.find((one) => one.name === 'Approver')?.id;
  const invite = async (who: string): Promise<Person> => {
    const body = { email: address(who), kind: 'CustomerEmployee' };
    const { userId } = ok(await ada.client.change('POST', '/auth/users', body)) as { readonly userId: string };
    ok(await ada.client.change('POST', `/permissions/${permissionId}/assignments`, { identityId: userId }));
    const code = await waitUntil('the code', () => {
      const letter = mail.arrived.find(
        ({ envelopeTo, text }) => envelopeTo.includes(address(who)) && /Registration code/.test(text ?? ''),
      );
      return /Registration code: ([0-9A-Z-]{11})/.exec(letter?.text ?? '')?.[1];
    });
    return register(userId, address(who), code);
  };
  const [ben, cyd] = [await invite('ben'), await invite('cyd')];
  // A user may not vote on the first day, so the users of this installation are three days old.
  await asOwnerOfAll(
    `UPDATE users SET date_created = date_created - interval '3 days', date_credentials_changed = NULL WHERE org_id = $1`,
    [orgId],
  );

  const wallet: Office['wallet'] = async (how) => {
    const made = ok(await ada.client.change('POST', '/wallets', { network: 'EthereumSepolia' })) as WalletBody & {
      readonly signingKey: { readonly id: string };
    };
    await rpc('anvil_setBalance', [made.address, `0x${TEN_ETHER.toString(16)}`]);
    const filters = { walletId: { in: [made.id] } };
    if (how !== 'free') ok(await ada.client.change('POST', '/v2/policies', asking('Wallets:Sign', { ben, cyd }, filters)));
    return { id: made.id, address: made.address, keyId: made.signingKey.id };
  };
  const tagged: Office['tagged'] = async ({ id }, tag) => {
    ok(await ada.client.change('PUT', `/wallets/${id}/tags`, { tags: [tag] }));
    ok(await ada.client.change('POST', '/v2/policies', asking('Wallets:Sign', { ben, cyd }, { walletTags: { hasAny: [tag] } })));
  };
  const decide: Office['decide'] = (by, approvalId, value = 'Approved') =>
    by.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value });
  return { orgId, ada, ben, cyd, wallet, tagged, decide };
}
