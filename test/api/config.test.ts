import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { apiConfig } from '../../api/config';

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ format: 'pem', type: 'pkcs8' }).toString();
const TOKEN_KEY = pemOf(generateKeyPairSync('ed25519').privateKey);
const P256_KEY = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const usable = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x', TOKEN_KEY, DATA_KEK: '0'.repeat(64), TEMPORAL_TLS: 'false' };

const before = process.env;
afterEach(() => {
  process.env = before;
});

function refusalOf(env: Record<string, string>): string {
  process.env = env;
  try {
    apiConfig();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

test('a process with a faulty configuration prints every fault at once and exits with status 1', () => {
  const main = join(__dirname, '..', '..', 'dist', 'api', 'main.js');
  const env = { PORT: '99999', NETWORK_RPC_URLS: '[', TEMPORAL_TLS: 'yes', LOG_LEVEL: 'loud' };
  const { status, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  for (const name of ['PORT', 'DATABASE_URL', 'TOKEN_KEY', 'DATA_KEK', 'NETWORK_RPC_URLS', 'TEMPORAL_TLS', 'LOG_LEVEL']) {
    expect(stderr).toMatch(new RegExp(`^ {2}${name}: `, 'm'));
  }
});

test('by default the API listens on both loopback addresses; TEMPORAL_TLS decides whether the Temporal connection is encrypted', () => {
  process.env = usable;
  const { HOSTS, PORT, METRICS_PORT, temporal } = apiConfig();
  expect([HOSTS, PORT, METRICS_PORT]).toEqual([['127.0.0.1', '::1'], 3000, 0]);
  expect(temporal).toMatchObject({ namespace: 'default', connectionOptions: { address: '127.0.0.1:7233' } });
  expect(temporal.connectionOptions.tls ?? false).toBe(false);
  process.env = { ...usable, TEMPORAL_TLS: 'true', TEMPORAL_API_KEY: 'k' };
  expect(apiConfig().temporal.connectionOptions).toMatchObject({ tls: expect.anything(), apiKey: 'k' });
});

test.each([
  ['no address', {}, 'localhost', ['http://localhost:3000']],
  ['a name', { PUBLIC_URL: 'https://custody.example.com/api' }, 'custody.example.com', ['https://custody.example.com']],
  ['a loopback address', { PUBLIC_URL: 'http://127.0.0.1:3100' }, 'localhost', ['http://localhost:3100']],
  ['an IPv6 loopback address', { PUBLIC_URL: 'http://[::1]:3100' }, 'localhost', ['http://localhost:3100']],
  [
    'a name, overridden by RP_ID and ORIGINS',
    { PUBLIC_URL: 'https://custody.example.com', RP_ID: 'example.com', ORIGINS: 'https://desk.example.com' },
    'example.com',
    ['https://desk.example.com'],
  ],
])('the settings of passkeys and pages follow from the public address: %s', (_title, env, rpId, origins) => {
  process.env = { ...usable, ...env };
  const { RP_ID, ORIGINS } = apiConfig();
  expect([RP_ID, ORIGINS]).toEqual([rpId, origins]);
});

test.each([
  ['a mainnet with one node', { NETWORK_RPC_URLS: '{"Ethereum":["http://a"]}' }, /NETWORK_RPC_URLS: .*at least 2 hosts/],
  [
    'a mainnet in a trial installation',
    { NODE_ENV: 'development', NETWORK_RPC_URLS: '{"Ethereum":["https://a.example","https://b.example"]}' },
    /NETWORK_RPC_URLS: names a mainnet, which needs NODE_ENV=production/,
  ],
  ['an unknown network', { NETWORK_RPC_URLS: '{"Nowhere":["http://127.0.0.1:1"]}' }, /NETWORK_RPC_URLS: .*Nowhere/],
  ['a mainnet without nodes', { SIGN_WITHOUT_NODES: 'BaseSepolia, Ethereum' }, /SIGN_WITHOUT_NODES.*must not name a mainnet/],
  ['an unknown network without nodes', { SIGN_WITHOUT_NODES: 'Nowhere' }, /SIGN_WITHOUT_NODES/],
  ['TLS left undecided in production', { TEMPORAL_TLS: '' }, /TEMPORAL_TLS: must be set in production: to true/],
  ['an API key over an unencrypted connection', { TEMPORAL_API_KEY: 'k' }, /TEMPORAL_TLS: .*never with an API key/],
  ['TRUE instead of true', { TEMPORAL_TLS: 'TRUE' }, /TEMPORAL_TLS: must be true, 1, false or 0/],
  ['a missing key file', { TOKEN_KEY: '', TOKEN_KEY_FILE: '/nonexistent' }, /TOKEN_KEY_FILE: \/nonexistent cannot be read/],
  ['a token key of another kind', { TOKEN_KEY: P256_KEY }, /TOKEN_KEY: must be an Ed25519/],
  ['a short data key', { DATA_KEK: '00' }, /DATA_KEK: must be 64 hex digits/],
])('%s: the configuration is refused with the reason, and the message does not contain a key', (_name, env, reason) => {
  const message = refusalOf({ ...usable, ...env });
  expect(message).toMatch(reason);
  expect(message).not.toMatch(/PRIVATE KEY|MC4C/);
});

test('TOKEN_KEY may contain several keys, and the first of them must be able to sign', () => {
  const old = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();
  expect(refusalOf({ ...usable, TOKEN_KEY: `${TOKEN_KEY}${old}` })).toBe('');
  expect(refusalOf({ ...usable, TOKEN_KEY: `${old}${TOKEN_KEY}` })).toMatch(/TOKEN_KEY: must be/);
  expect(refusalOf({ ...usable, TOKEN_KEY: `${TOKEN_KEY}${P256_KEY}` })).toMatch(/TOKEN_KEY: must be/);
});

test('TRUSTED_PROXIES accepts IP addresses and IP networks, and is empty by default', () => {
  process.env = { ...usable, TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1, ::1' };
  const { TRUSTED_PROXIES } = apiConfig();
  expect([TRUSTED_PROXIES.check('10.9.9.9'), TRUSTED_PROXIES.check('::1', 'ipv6')]).toEqual([true, true]);
  process.env = usable;
  expect(apiConfig().TRUSTED_PROXIES.check('127.0.0.1')).toBe(false);
  expect(refusalOf({ ...usable, TRUSTED_PROXIES: 'proxy.example.com' })).toMatch(/TRUSTED_PROXIES: must be addresses/);
});

test.each(['{"Reads":{"token":1}}', '{"Read":{"tokens":1}}', '{"Read":{"token":0}}', '{"scale":0}', '[]', 'off'])(
  'RATE_LIMITS=%s is refused',
  (RATE_LIMITS) => {
    expect(refusalOf({ ...usable, RATE_LIMITS })).toMatch(/RATE_LIMITS/);
  },
);

test('RATE_LIMITS changes the default limits', () => {
  process.env = { ...usable, RATE_LIMITS: '{"scale":2,"SignIn":{"address":7}}' };
  expect(apiConfig().RATE_LIMITS.SignIn).toEqual({ address: { requests: 14, seconds: 60 } });
});
