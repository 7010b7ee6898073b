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

test('keys come as bytes, with or without a line end, in either case', () => {
  const config = read();
  expect(config.kek.equals(Buffer.alloc(32, 0xab))).toBe(true);
  expect(config.authKey.equals(Buffer.alloc(32, 0xcd))).toBe(true);
});

test.each<[string, () => string, RegExp]>([
  ['others may read', () => file('open', 'ab'.repeat(32), 0o644), /has mode 0644/],
  ['the group may read', () => file('group', 'ab'.repeat(32), 0o440), /has mode 0440/],
  ['is too short', () => file('short', 'ab'.repeat(31)), /64 hex digits/],
  ['is too long', () => file('long', 'ab'.repeat(33)), /64 hex digits/],
  ['holds no hex', () => file('nohex', 'zz'.repeat(32)), /64 hex digits/],
  ['is empty', () => file('empty', ''), /64 hex digits/],
  ['does not exist', () => path('nowhere'), /cannot be read \(ENOENT\)/],
  ['is a folder', () => mkdirSync(path('folder')) ?? path('folder'), /not a regular file/],
])('a key file that %s is refused by name, without its content', (_what, make, fault) => {
  expect(() => read({ SIGNER_KEK_FILE: make() })).toThrow(fault);
  expect(() => read({ SIGNER_KEK_FILE: path('nohex') })).not.toThrow(/zzzz/);
});

test('all faults are told at once', () => {
  const faulty = {
    SIGNER_SOCKET: `/${'x'.repeat(100)}`,
    SIGNER_KEK_FILE: path('nowhere'),
    SIGNER_AUTH_FILE: undefined,
    SIGNER_STATE_DIR: undefined,
  };
  expect(() => read(faulty)).toThrow(/SIGNER_SOCKET.*SIGNER_KEK_FILE.*SIGNER_AUTH_FILE.*SIGNER_STATE_DIR/s);
});

test('a socket path of 100 bytes is the longest', () => {
  expect(read({ SIGNER_SOCKET: `/${'x'.repeat(99)}` }).place).toEqual({ path: `/${'x'.repeat(99)}` });
});
