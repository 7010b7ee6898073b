import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSignerConfig } from '../../signer/config';
import { ROOT } from '../support/compose';
import { dockerfileText } from '../support/dockerfile';

const UNIT = join(ROOT, 'deploy', 'systemd', 'strongroom-signer.service');
const settings = readFileSync(UNIT, 'utf8')
  .split('\n')
  .filter((line) => /^\w+=/.test(line))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
const all = (name: string) => settings.filter(([key]) => key === name).map(([, value]) => value);

test.each([
  ['LimitCORE', '0'],
  ['CoredumpFilter', '0'],
  ['MemorySwapMax', '0'],
  ['NoNewPrivileges', 'yes'],
  ['CapabilityBoundingSet', ''],
  ['PrivateNetwork', 'yes'],
  ['RestrictAddressFamilies', 'AF_UNIX'],
  ['MemoryDenyWriteExecute', 'yes'],
  ['ProtectProc', 'invisible'],
  ['ProtectSystem', 'strict'],
])('the unit says %s=%s once', (name, value) => {
  expect(all(name)).toEqual([value]);
});

test('no process of the unit may trace a process or read its memory, or start a program other than Node', () => {
  expect(all('SystemCallFilter').join(' ')).toMatch(/~.*@debug.*process_vm_readv.*ptrace/);
  expect([all('NoExecPaths'), all('ExecPaths').join(' ').split(' ')[0]]).toEqual([['/'], '/usr/bin/node']);
});

test('the unit starts Node with the flags of the image', () => {
  const [, flags] = /CMD \[(.*), "dist\/signer\/main\.js"\]/.exec(dockerfileText) ?? [];
  expect(JSON.parse(`[${flags}]`)).toEqual(all('ExecStart').join().match(/--\S+/g));
});

test('a signer of the local trial is started with the same flags', () => {
  const [, flags = ''] = /signer: \[(.*)\]/.exec(readFileSync(join(ROOT, 'scripts', 'supervisor', 'service.mjs'), 'utf8')) ?? [];
  expect(flags.match(/--[\w-]+(=\w+)?/g)).toEqual(all('ExecStart').join().match(/--\S+/g));
});

test('the unit sets every variable that the signer needs in production', () => {
  const credentials = mkdtempSync(join(tmpdir(), 'systemd-'));
  for (const line of all('LoadCredentialEncrypted'))
    writeFileSync(join(credentials, line.split(':')[0] ?? ''), 'ab'.repeat(32), { mode: 0o400 });
  mkdirSync(join(credentials, 'state'));
  const original = process.env;
  process.env = Object.fromEntries(
    all('Environment').map((pair) => pair.replace('%d', credentials).split('=') as [string, string]),
  );
  try {
    expect(readSignerConfig()).toMatchObject({ place: { path: '/run/strongroom-signer/socket' }, switches: new Set() });
  } finally {
    process.env = original;
    rmSync(credentials, { recursive: true });
  }
});

const analyze = spawnSync('systemd-analyze', ['security', '--offline=true', UNIT], { encoding: 'utf8' });
(analyze.error ? test.failing : test)('on a machine with systemd, systemd itself rates the unit as safe', () => {
  expect(analyze.error).toBeUndefined();
  expect(analyze.stdout).toMatch(/Overall exposure level for strongroom-signer\.service: 0\.\d SAFE/);
});
