import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { workerConfig } from '../../worker/config';

const GOOD = {
  DATABASE_URL: 'postgres://app:canary@127.0.0.1:5432/strongroom',
  RELAY_DATABASE_URL: 'postgres://relay@127.0.0.1:5432/strongroom',
  DATA_KEK: randomBytes(32).toString('hex'),
  SIGNER_SOCKET: '/run/signer.sock',
  SIGNER_AUTH: randomBytes(32).toString('hex'),
  NETWORK_RPC_URLS: '{"EthereumSepolia":["http://127.0.0.1:8545"]}',
  NODE_ENV: 'development',
};

const original = process.env;
afterEach(() => {
  process.env = original;
});

function configOf(set: Readonly<Record<string, string | undefined>> = {}): ReturnType<typeof workerConfig> {
  process.env = { ...GOOD, ...set };
  return workerConfig();
}
/** The variables that are at fault, in the order of the message. */
function faultsOf(set: Readonly<Record<string, string | undefined>>): string[] {
  try {
    configOf(set);
    return [];
  } catch (error) {
    const { name, message } = error as Error;
    expect(name).toBe('ConfigError');
    expect(message).not.toContain('canary');
    return message.split('\n').slice(1);
  }
}

test('the witness, which keeps checkpoints, is set as a folder or an address, and in production an address must use TLS', () => {
  expect(configOf().CHECKPOINT_WITNESS).toBeUndefined();
  for (const witness of ['file:///mnt/witness/', 'https://witness.example/', 'http://127.0.0.1:9000/'])
    expect(configOf({ CHECKPOINT_WITNESS: witness }).CHECKPOINT_WITNESS).toBe(witness);
  expect(faultsOf({ CHECKPOINT_WITNESS: '/mnt/witness' })).toEqual([expect.stringContaining('CHECKPOINT_WITNESS')]);
  const faultOf = (witness: string) =>
    faultsOf({ NODE_ENV: 'production', CHECKPOINT_WITNESS: witness }).filter((fault) => fault.includes('CHECKPOINT_WITNESS'));
  expect(faultOf('http://witness.example/')).toEqual([expect.stringContaining('must be a file or https address in production')]);
  for (const witness of ['file:///mnt/witness/', 'https://witness.example/']) expect(faultOf(witness)).toEqual([]);
});

test('only variables without a default must be set', () => {
  expect(configOf()).toMatchObject({
    DATABASE_POOL_MAX: 16,
    CODEC_PORT: 0,
    METRICS_PORT: 0,
    METRICS_HOST: '127.0.0.1',
    SDK_METRICS_PORT: 0,
    HEALTH_HOST: '127.0.0.1',
    WEBHOOK_ALLOW_LOOPBACK: false,
    LOG_LEVEL: 'info',
    PRICES: {},
    PRICE_SOURCES: [],
    PRICE_DIVERGENCE_PERCENT: 5,
    PRICE_AGE_MAX_SECONDS: 300,
    PRICE_KEPT_SECONDS: 15,
    PRICE_TIMEOUT_MS: 2_000,
    temporal: { namespace: 'default', connectionOptions: { address: '127.0.0.1:7233' } },
  });
});

test('metrics listen at an IP address and not at a host name, to which the SDK could not bind', () => {
  expect(configOf({ METRICS_HOST: '0.0.0.0' }).METRICS_HOST).toBe('0.0.0.0');
  expect(configOf({ METRICS_HOST: '::1' }).METRICS_HOST).toBe('::1');
  expect(faultsOf({ METRICS_HOST: 'localhost' })).toEqual([expect.stringContaining('METRICS_HOST: must be an IP address')]);
});

test('a mainnet needs nodes on two hosts and NODE_ENV=production', () => {
  const mainnet = (nodes: string, more: object = {}) => faultsOf({ NETWORK_RPC_URLS: `{"Ethereum":[${nodes}]}`, ...more });
  const trial = expect.stringContaining('NETWORK_RPC_URLS: names a mainnet, which needs NODE_ENV=production');
  expect(mainnet('"http://h"')).toEqual([expect.stringContaining('Ethereum: a mainnet needs nodes on at least 2 hosts'), trial]);
  const two = '"https://a.example","https://b.example"';
  expect(mainnet(two)).toEqual([trial]);
  expect(mainnet(two, { NODE_ENV: 'production', TEMPORAL_TLS: 'true' })).toEqual([]);
});

test('a network without a record is refused', () => {
  expect(faultsOf({ NETWORK_RPC_URLS: '{"Tsc":["http://h"]}' })[0]).toContain(
    'Tsc cannot be configured: this release has no code for it',
  );
});

test('a mail server needs a sender, and its address may not contain options that weaken TLS', () => {
  const SMTP_URL = 'smtps://user:secret@mail.example.com';
  const MAIL_FROM = 'Strongroom <strongroom@example.com>';
  expect(configOf({ SMTP_URL, MAIL_FROM })).toMatchObject({
    SMTP_URL: expect.objectContaining({ hostname: 'mail.example.com' }),
    MAIL_FROM: { name: 'Strongroom', address: 'strongroom@example.com' },
  });
  expect(faultsOf({ SMTP_URL })).toEqual([expect.stringContaining('MAIL_FROM: is needed with SMTP_URL')]);
  const faults = faultsOf({ SMTP_URL: `${SMTP_URL}?tls.rejectUnauthorized=false`, MAIL_FROM });
  expect(faults).toEqual([expect.stringContaining('SMTP_URL')]);
  expect(faults.join()).not.toContain('secret');
});

test('webhooks to loopback are permitted only in a local trial', () => {
  expect(configOf({ WEBHOOK_ALLOW_LOOPBACK: 'true' }).WEBHOOK_ALLOW_LOOPBACK).toBe(true);
  const production = { NODE_ENV: 'production', TEMPORAL_TLS: 'true' };
  expect(faultsOf({ ...production, WEBHOOK_ALLOW_LOOPBACK: 'true' })).toEqual([
    expect.stringContaining('WEBHOOK_ALLOW_LOOPBACK'),
  ]);
  expect(faultsOf(production)).toEqual([]);
});

test.each(['yes', 'on', 'TRUE', 'enabled'])('TEMPORAL_TLS=%s is an error and not a connection in the clear', (word) => {
  expect(faultsOf({ TEMPORAL_TLS: word })).toEqual([expect.stringContaining('must be true, 1, false or 0')]);
});

test('in production, a connection in the clear must be requested explicitly', () => {
  expect(faultsOf({ NODE_ENV: 'production' })).toEqual([expect.stringContaining('TEMPORAL_TLS')]);
  expect(faultsOf({ NODE_ENV: undefined })).toEqual([expect.stringContaining('TEMPORAL_TLS')]);
  for (const word of ['true', '1', 'false', '0']) expect(faultsOf({ NODE_ENV: 'production', TEMPORAL_TLS: word })).toEqual([]);
});

test('an API key never travels in the clear', () => {
  expect(faultsOf({ TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'false' })).toEqual([expect.stringContaining('TEMPORAL_TLS')]);
  expect(configOf({ TEMPORAL_API_KEY: 'k' }).temporal.connectionOptions.tls).toBeTruthy();
});

test('TLS is on when it is switched on and off when it is switched off', () => {
  expect(configOf({ TEMPORAL_TLS: 'true' }).temporal.connectionOptions.tls).toBeTruthy();
  expect(configOf({ TEMPORAL_TLS: 'false' }).temporal.connectionOptions.tls).toBeFalsy();
});

describe('the codec endpoint', () => {
  const keys = (type: 'ed25519' | 'x25519' = 'ed25519') =>
    generateKeyPairSync(type as 'ed25519')
      .publicKey.export({ format: 'pem', type: 'spki' })
      .toString();
  const login = {
    CODEC_URL: 'https://codec.example.com',
    CODEC_ORG_ID: 'or-00000-00000-0000000000000000',
    CODEC_TOKEN_KEYS: keys(),
  };
  const production = { NODE_ENV: 'production', TEMPORAL_TLS: 'true' };
  const fault = [expect.stringContaining('CODEC_PORT: needs CODEC_URL (https), CODEC_ORG_ID and CODEC_TOKEN_KEYS')];

  test('without a login is permitted only on loopback in a local trial', () => {
    expect(faultsOf({ CODEC_PORT: '8234' })).toEqual([]);
    expect(faultsOf({ CODEC_PORT: '8234', CODEC_HOST: '0.0.0.0' })).toEqual(fault);
    expect(faultsOf({ CODEC_PORT: '8234', CODEC_HOST: '127.0.0.1.example.com' })).toEqual(fault);
    expect(faultsOf({ ...production, CODEC_PORT: '8234' })).toEqual(fault);
    expect(faultsOf(production)).toEqual([]);
  });

  test('with a login is permitted beyond loopback and in production', () => {
    expect(faultsOf({ ...production, ...login, CODEC_PORT: '8234', CODEC_HOST: '0.0.0.0' })).toEqual([]);
    for (const name of Object.keys(login)) {
      expect(faultsOf({ ...production, ...login, CODEC_PORT: '8234', [name]: undefined })).toEqual(fault);
    }
    expect(faultsOf({ ...login, CODEC_PORT: '8234', CODEC_URL: 'http://codec.example.com' })).toEqual(fault);
    expect(faultsOf({ ...login, CODEC_PORT: '8234', CODEC_URL: 'http://127.0.0.1:8234' })).toEqual([]);
  });

  test('accepts no key that can sign', () => {
    const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    for (const pems of [privateKey, login.CODEC_TOKEN_KEYS + privateKey, keys('x25519'), 'canary']) {
      expect(faultsOf({ ...login, CODEC_PORT: '8234', CODEC_TOKEN_KEYS: pems })).toEqual([
        expect.stringContaining('CODEC_TOKEN_KEYS: must be Ed25519 public keys'),
      ]);
    }
  });
});

describe('sources of prices', () => {
  const sources = (...urls: readonly string[]) => JSON.stringify(urls.map((url, at) => ({ name: `source-${at}`, url })));
  const fault = (message: string) => [expect.stringContaining(message)];

  test('are at most two different ones, each with a name', () => {
    expect(configOf({ PRICE_SOURCES: sources('https://a.example/p', 'https://b.example/p') }).PRICE_SOURCES).toHaveLength(2);
    expect(faultsOf({ PRICE_SOURCES: sources('https://a/', 'https://b/', 'https://c/') })).toEqual(fault('PRICE_SOURCES'));
    expect(faultsOf({ PRICE_SOURCES: sources('https://a/', 'https://a/') })).toEqual(fault('must be different sources'));
    expect(faultsOf({ PRICE_SOURCES: '[{"url":"https://a/"}]' })).toEqual(fault('PRICE_SOURCES.0.name'));
    expect(faultsOf({ PRICE_SOURCES: sources('https://u:canary@a/') })).toEqual(fault('must hold no user name'));
    expect(faultsOf({ PRICE_SOURCES: '{"name":"canary"}' })).toEqual(fault('PRICE_SOURCES'));
  });

  test('are refused together with a price table', () => {
    const table = '{"EthereumSepolia":{"native":"3000"}}';
    expect(faultsOf({ PRICES: table, PRICE_SOURCES: sources('https://a/') })).toEqual(fault('not be given together with PRICES'));
  });

  test('are reached over https, except on loopback in a local trial', () => {
    expect(faultsOf({ PRICE_SOURCES: sources('http://127.0.0.1:9/') })).toEqual([]);
    expect(faultsOf({ PRICE_SOURCES: sources('http://prices.example/') })).toEqual(fault('must be https'));
    const production = { NODE_ENV: 'production', TEMPORAL_TLS: 'true' };
    expect(faultsOf({ ...production, PRICE_SOURCES: sources('http://127.0.0.1:9/') })).toEqual(fault('must be https'));
    expect(faultsOf({ ...production, PRICE_SOURCES: sources('https://prices.example/') })).toEqual([]);
  });

  test.each([
    ['PRICE_DIVERGENCE_PERCENT', '101'],
    ['PRICE_DIVERGENCE_PERCENT', '-1'],
    ['PRICE_AGE_MAX_SECONDS', '0'],
    ['PRICE_KEPT_SECONDS', '3601'],
    ['PRICE_TIMEOUT_MS', '99'],
  ])('%s must not be %s', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual(fault(name));
  });
});

test('all faults are reported at once', () => {
  const faults = faultsOf({
    DATABASE_URL: 'mysql://canary@h/d',
    DATA_KEK: undefined,
    SIGNER_AUTH: 'canary',
    PRICES: '{"EthereumSepolia":{"native":3000}}',
    TEMPORAL_ADDRESS: 'http://h:7233',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    NODE_ENV: 'production',
  });
  expect(faults.map((fault) => fault.trim().split(/[:.]/)[0]).sort()).toEqual([
    'DATABASE_URL',
    'DATA_KEK',
    'PRICES',
    'SIGNER_AUTH',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_TLS',
    'WEBHOOK_ALLOW_LOOPBACK',
  ]);
});
