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

test('a process with a faulty configuration lists every fault at once and exits with 1', () => {
  const main = join(__dirname, '..', '..', 'dist', 'api', 'main.js');
  const env = { PORT: '99999', NETWORK_RPC_URLS: '[', TEMPORAL_TLS: 'yes', LOG_LEVEL: 'loud' };
  const { status, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  for (const name of ['PORT', 'DATABASE_URL', 'TOKEN_KEY', 'DATA_KEK', 'NETWORK_RPC_URLS', 'TEMPORAL_TLS', 'LOG_LEVEL']) {
    expect(stderr).toMatch(new RegExp(`^ {2}${name}: `, 'm'));
  }
});

test('a usable configuration has both loopback addresses and a connection to Temporal in the clear only when asked for', () => {
  process.env = usable;
  const { HOSTS, PORT, METRICS_PORT, temporal } = apiConfig();
  expect([HOSTS, PORT, METRICS_PORT]).toEqual([['127.0.0.1', '::1'], 3000, 0]);
  expect(temporal).toMatchObject({ namespace: 'default', connectionOptions: { address: '127.0.0.1:7233' } });
  expect(temporal.connectionOptions.tls ?? false).toBe(false);
  process.env = { ...usable, TEMPORAL_TLS: 'true', TEMPORAL_API_KEY: 'k' };
  expect(apiConfig().temporal.connectionOptions).toMatchObject({ tls: expect.anything(), apiKey: 'k' });
});

test.each([
  ['a mainnet', { NETWORK_RPC_URLS: '{"Ethereum":["http://127.0.0.1:1"]}' }, /NETWORK_RPC_URLS: .*mainnets are refused/],
  ['an unknown network', { NETWORK_RPC_URLS: '{"Nowhere":["http://127.0.0.1:1"]}' }, /NETWORK_RPC_URLS: .*Nowhere/],
  ['TLS left open in production', { TEMPORAL_TLS: '' }, /TEMPORAL_TLS: must be true in production/],
  ['an API key in the clear', { TEMPORAL_API_KEY: 'k' }, /TEMPORAL_TLS: .*never with an API key/],
  ['TRUE for true', { TEMPORAL_TLS: 'TRUE' }, /TEMPORAL_TLS: must be true, 1, false or 0/],
  ['a missing key file', { TOKEN_KEY: '', TOKEN_KEY_FILE: '/nonexistent' }, /TOKEN_KEY_FILE: \/nonexistent cannot be read/],
  ['a token key of another kind', { TOKEN_KEY: P256_KEY }, /TOKEN_KEY: must be an Ed25519/],
  [
    'the gate of a drill in production',
    { DRILL_GATE_URL: 'http://127.0.0.1:1/' },
    /DRILL_GATE_URL: must not be set in production/,
  ],
  ['a short data key', { DATA_KEK: '00' }, /DATA_KEK: must be 64 hex digits/],
])('%s is refused with its reason and without a word of a key', (_name, env, reason) => {
  const message = refusalOf({ ...usable, ...env });
  expect(message).toMatch(reason);
  expect(message).not.toMatch(/PRIVATE KEY|MC4C/);
});
