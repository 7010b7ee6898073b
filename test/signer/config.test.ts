import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSignerConfig } from '../../signer/config';
import { temporaryFolder } from './fixtures';

const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
const before = { ...process.env };

function file(name: string, content: string, mode = 0o400): string {
  writeFileSync(path(name), content, { mode });
  chmodSync(path(name), mode);
  return path(name);
}

let good: Record<string, string>;
beforeAll(() => {
  good = {
    SIGNER_SOCKET: path('signer.sock'),
    SIGNER_KEK_FILE: file('kek', `${'ab'.repeat(32)}\n`),
    SIGNER_AUTH_FILE: file('auth', 'CD'.repeat(32), 0o600),
    SIGNER_STATE_DIR: path('state'),
  };
});
afterEach(() => {
  process.env = { ...before };
});
afterAll(folder.remove);

function read(changes: Record<string, string | undefined> = {}) {
  process.env = { ...before, ...good };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return readSignerConfig();
}

test('a key file is read as bytes, with or without a line end, in either case', () => {
  const config = read();
  expect(config.keks).toEqual({ active: { kind: 'local', secret: Buffer.alloc(32, 0xab), isFromEnvironment: false }, old: [] });
  expect(config.authKey.equals(Buffer.alloc(32, 0xcd))).toBe(true);
});

test.each<[string, () => string, RegExp]>([
  ['others may read', () => file('open', 'ab'.repeat(32), 0o644), /has mode 0644/],
  ['the group may read', () => file('group', 'ab'.repeat(32), 0o440), /has mode 0440/],
  ['is too short', () => file('short', 'ab'.repeat(31)), /64 hex digits/],
  ['is too long', () => file('long', 'ab'.repeat(33)), /64 hex digits/],
  ['is not hex', () => file('nohex', 'zz'.repeat(32)), /64 hex digits/],
  ['is empty', () => file('empty', ''), /64 hex digits/],
  ['does not exist', () => path('nowhere'), /cannot be read \(ENOENT\)/],
  ['is a folder', () => mkdirSync(path('folder')) ?? path('folder'), /not a regular file/],
])('a key file that %s is refused by name, without its content', (_what, make, fault) => {
  expect(() => read({ SIGNER_KEK_FILE: make() })).toThrow(fault);
  expect(() => read({ SIGNER_KEK_FILE: path('nohex') })).not.toThrow(/zzzz/);
});

test('each switch is off unless it is `true`, and any value except `true` and `false` is a fault', () => {
  expect(read().switches).toEqual(new Set());
  expect(read({ SIGNER_EXPORT: 'false', SIGNER_HASH: 'true' }).switches).toEqual(new Set(['Hash']));
  expect(read({ SIGNER_EXPORT: 'true', SIGNER_CHAINLESS_TYPED_DATA: 'true' }).switches).toEqual(
    new Set(['Export', 'ChainlessTypedData']),
  );
  expect(() => read({ SIGNER_EXPORT: 'yes' })).toThrow(/SIGNER_EXPORT/);
});

test('all faults are reported at once', () => {
  const faulty = {
    SIGNER_SOCKET: `/${'x'.repeat(100)}`,
    SIGNER_KEK_FILE: path('nowhere'),
    SIGNER_AUTH_FILE: undefined,
    SIGNER_STATE_DIR: undefined,
  };
  expect(() => read(faulty)).toThrow(/SIGNER_SOCKET.*SIGNER_AUTH_FILE.*SIGNER_STATE_DIR.*SIGNER_KEK_FILE/s);
});

test('a socket path may have 100 bytes and no more', () => {
  expect(read({ SIGNER_SOCKET: `/${'x'.repeat(99)}` }).place).toEqual({ path: `/${'x'.repeat(99)}` });
});

const SECRET = { kind: 'local', isFromEnvironment: false };

test('a key-encryption key comes from a file, a systemd credential or a service, and older keys remain available', () => {
  const folder = mkdirSync(path('credentials'), { recursive: true }) ?? path('credentials');
  file('credentials/kek', '11'.repeat(32));
  const { keks } = read({
    SIGNER_KEK_FILE: undefined,
    SIGNER_KEK_SOURCE: 'credential:kek',
    SIGNER_KEK_OLD_SOURCES: `file:${path('kek')}, aws-kms:${ARN}`,
    CREDENTIALS_DIRECTORY: folder,
    SIGNER_KMS_SOCKET: '/run/forwarder',
    SIGNER_KMS_CREDENTIALS_FILE: file('aws', '{}'),
  });
  expect(keks).toEqual({
    active: { ...SECRET, secret: Buffer.alloc(32, 0x11) },
    old: [
      { ...SECRET, secret: Buffer.alloc(32, 0xab) },
      { kind: 'aws-kms', arn: ARN },
    ],
    kms: { socketPath: '/run/forwarder', credentialsFile: path('aws') },
  });
});
const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

test('a key-encryption key from the environment is for development, and refused in production', () => {
  const named = { SIGNER_KEK_FILE: undefined, SIGNER_KEK_SOURCE: 'env:THE_KEK', THE_KEK: '22'.repeat(32) };
  expect(read({ ...named, NODE_ENV: 'development' }).keks).toMatchObject({ active: { isFromEnvironment: true } });
  expect(() => read({ ...named, NODE_ENV: undefined })).toThrow(/SIGNER_KEK_SOURCE: env: is for development/);
  expect(() => read({ ...named, NODE_ENV: 'production' })).toThrow(/env: is for development/);
  expect(() => read({ ...named, NODE_ENV: 'development', THE_KEK: 'zz' })).toThrow(/THE_KEK does not hold 64 hex digits/);
});

test.each<[string, Record<string, string | undefined>, RegExp]>([
  [
    'two active keys',
    { SIGNER_KEK_SOURCE: 'file:/x' },
    /SIGNER_KEK_FILE: and SIGNER_KEK_SOURCE are both set: set only one of them/,
  ],
  ['no active key', { SIGNER_KEK_FILE: undefined }, /SIGNER_KEK_FILE: is not set, nor is SIGNER_KEK_SOURCE/],
  ['an unknown kind', { SIGNER_KEK_OLD_SOURCES: 'vault:x' }, /SIGNER_KEK_OLD_SOURCES: must be file:/],
  ['a credential without systemd', { SIGNER_KEK_OLD_SOURCES: 'credential:kek' }, /needs CREDENTIALS_DIRECTORY/],
  [
    'a credential outside its folder',
    { SIGNER_KEK_OLD_SOURCES: 'credential:../kek', CREDENTIALS_DIRECTORY: '/run' },
    /not the name of a credential/,
  ],
  ['an alias instead of a key', { SIGNER_KEK_OLD_SOURCES: 'aws-kms:alias/wallets' }, /is not the ARN of a key/],
  [
    'a key service without a socket and credentials',
    { SIGNER_KEK_OLD_SOURCES: `aws-kms:${ARN}` },
    /SIGNER_KMS_SOCKET.*SIGNER_KMS_CREDENTIALS_FILE/s,
  ],
  [
    'a key service without TLS',
    {
      SIGNER_KEK_OLD_SOURCES: `aws-kms:${ARN}`,
      SIGNER_KMS_SOCKET: '/run/forwarder',
      SIGNER_KMS_CREDENTIALS_FILE: '/nowhere',
      SIGNER_KMS_ENDPOINT: 'http://127.0.0.1:1',
      NODE_ENV: 'production',
    },
    /SIGNER_KMS_ENDPOINT: must be https in production/,
  ],
])('sources of keys are refused: %s', (_what, changes, fault) => {
  expect(() => read(changes)).toThrow(fault);
});

test('a replica needs its own key, the operator’s key and, over TLS, a folder and names', () => {
  const operatorKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const replica = {
    SIGNER_REPLICA: `unix:${path('replica.sock')}`,
    SIGNER_REPLICA_AUTH_FILE: file('replica-auth', 'ef'.repeat(32)),
    SIGNER_OPERATOR_KEY: operatorKey,
  };
  expect(read().replica).toBeUndefined();
  expect(read(replica).replica).toEqual({ place: { path: path('replica.sock') }, authKey: Buffer.alloc(32, 0xef) });
  const overTls = { ...replica, SIGNER_REPLICA: 'tls://replica.internal:7443', SIGNER_TLS_DIR: path('tls') };
  expect(read({ ...overTls, SIGNER_REPLICA_NAMES: 'replica.internal' }).replica?.place).toMatchObject({ port: 7_443 });
  for (const [name, given] of [
    ['SIGNER_OPERATOR_KEY', replica],
    ['SIGNER_REPLICA_AUTH_FILE', replica],
    ['SIGNER_TLS_DIR', { ...overTls, SIGNER_REPLICA_NAMES: 'replica.internal' }],
    ['SIGNER_REPLICA_NAMES', overTls],
  ] as const)
    expect(() => read({ ...given, [name]: undefined })).toThrow(/SIGNER_REPLICA: needs .*SIGNER_REPLICA_NAMES/);
});
