import { execFileSync, spawn } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HAS_NATIVE, NATIVE_FILE } from '../../support/native-arithmetic';
import { keyOrder, temporaryFolder } from '../fixtures';
import { compileSigner, FLAGS, installSigner } from '../process';

const CHUNK_BYTES = 1 << 24;
const isLinux = process.platform === 'linux';
const testOnLinux = HAS_NATIVE && isLinux ? test : test.failing;

type Place = { readonly flags: string; readonly count: number };

/** The memory regions of a process that contain these bytes: the flags of each region, and how often it contains the bytes. */
function placesOf(needle: Buffer, pid: number): Place[] {
  const regions = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return regions.flatMap((region) => {
      const [, from = '0', to = '0', rights = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(region) ?? [];
      const [, flags = ''] = /^VmFlags: (.*)$/m.exec(region) ?? [];
      const count = rights.startsWith('r') ? countIn(memory, needle, Number(`0x${from}`), Number(`0x${to}`)) : 0;
      return count === 0 ? [] : [{ flags, count }];
    });
  } finally {
    closeSync(memory);
  }
}

function countIn(memory: number, needle: Buffer, from: number, to: number): number {
  let count = 0;
  for (let start = from; start < to; start += CHUNK_BYTES) {
    const part = Buffer.alloc(Math.min(CHUNK_BYTES + needle.length - 1, to - start));
    try {
      readSync(memory, part, 0, part.length, start);
    } catch {
      continue; // The kernel does not let any process read some regions, such as vvar.
    }
    for (let at = part.indexOf(needle); at !== -1; at = part.indexOf(needle, at + 1)) count += 1;
  }
  return count;
}

describe('a signer at work', () => {
  const compiled = compileSigner();
  const signer = installSigner(compiled.main);
  let pid: number;
  beforeAll(async () => {
    const { child } = await signer.start();
    pid = child.pid ?? 0;
    const client = signer.client();
    await client.createKey(keyOrder('key-1'));
    await client.createKey(keyOrder('key-2'));
    await client.close();
  });
  afterAll(() => {
    signer.remove();
    compiled.remove();
  });

  testOnLinux('has the key-encryption key only in memory that is locked and never dumped', () => {
    const secret = Buffer.from(readFileSync(signer.path('kek'), 'utf8').trim(), 'hex');
    const places = placesOf(Buffer.from(hkdfSync('sha256', secret, '', 'wallet/kek/v1', 32)), pid);
    expect(places).toEqual([{ flags: expect.stringMatching(/(?=.*\blo\b)(?=.*\bdd\b)(?=.*\bdc\b)/), count: 1 }]);
    expect(placesOf(secret, pid)).toEqual([]);
  });

  testOnLinux('has no memory that is writable and executable, and a filter of system calls', () => {
    expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).not.toMatch(/^\S+ .wx/m);
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^NoNewPrivs:\t1\n(.*\n)*Seccomp:\t2$/m);
  });
});

testOnLinux('a key that was read and wiped is no longer in memory, even after a garbage collection in between', async () => {
  const compiled = compileSigner();
  const folder = temporaryFolder();
  const path = join(folder.path, 'key');
  writeFileSync(path, 'cd'.repeat(32), { mode: 0o400 });
  const lines = `
    const key = require('./keys/key-file').readKeyFile(${JSON.stringify(path)});
    gc({ type: 'minor' });
    key.fill(0);
    console.log('wiped');
    process.stdin.resume();`;
  const child = spawn(process.execPath, [...FLAGS, '--expose-gc', '-e', lines], { cwd: dirname(compiled.main) });
  try {
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
    expect(String(said)).toBe('wiped\n');
    expect(placesOf(Buffer.from('cd'.repeat(32), 'hex'), child.pid ?? 0)).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    folder.remove();
    compiled.remove();
  }
});

/** Runs lines in a process with the addon as `addon`, and returns the output of the lines. */
const inProcess = (lines: string) =>
  execFileSync(process.execPath, [...FLAGS, '-e', `const addon = require(${JSON.stringify(NATIVE_FILE)}); ${lines}`], {
    encoding: 'utf8',
  }).trim();

testOnLinux(
  'a process that may not create code cannot start a program that creates code, such as Node.js with its compiler',
  () => {
    const start = "require('node:child_process').spawnSync(process.execPath, ['-e', 'console.log(1)'])";
    const outcome = `const { status, signal } = ${start}; console.log(status ?? signal)`;
    expect(inProcess(outcome)).toBe('0');
    expect(inProcess(`if (!addon.denyNewCode()) throw new Error('not denied'); ${outcome}`)).not.toBe('0');
  },
);

const CALLS = {
  program: "({ once: (_, tell) => tell(require('node:child_process').spawnSync(process.execPath, ['-e', '0']).error ?? {}) })",
  network: "require('node:net').connect(9, '127.0.0.1')",
  unix: "require('node:net').connect('/nowhere')",
};
const told = (what: keyof typeof CALLS, needsNetwork: boolean) =>
  inProcess(`addon.denyCalls(${needsNetwork}); const one = ${CALLS[what]}; one.once('error', ({ code }) => console.log(code));`);

testOnLinux.each<[string, keyof typeof CALLS, boolean, RegExp]>([
  ['cannot start a program', 'program', false, /EPERM/],
  ['cannot open a network socket', 'network', false, /EPERM|EACCES/],
  ['opens Unix sockets', 'unix', false, /ENOENT/],
  ['that needs a network can connect', 'network', true, /ECONNREFUSED/],
  ['that needs a network cannot start a program', 'program', true, /EPERM/],
])('a confined process %s', (_what, call, needsNetwork, outcome) => {
  expect(told(call, needsNetwork)).toMatch(outcome);
});
