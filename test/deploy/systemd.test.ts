import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSignerConfig } from '../../signer/config';
import { readReplicaConfig } from '../../signer/replica/config';
import { ROOT } from '../support/compose';
import { dockerfileText } from '../support/dockerfile';

const UNITS = ['strongroom-signer', 'strongroom-replica'] as const;
const pathOf = (unit: (typeof UNITS)[number]) => join(ROOT, 'deploy', 'systemd', `${unit}.service`);
const settingsOf = (unit: (typeof UNITS)[number]) =>
  readFileSync(pathOf(unit), 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
const all = (unit: (typeof UNITS)[number], name: string) =>
  settingsOf(unit)
    .filter(([key]) => key === name)
    .map(([, value]) => value);

/** Runs the work with the variables and the credentials of the unit. */
function inUnit<T>(unit: (typeof UNITS)[number], work: () => T): T {
  const credentials = mkdtempSync(join(tmpdir(), 'systemd-'));
  for (const line of all(unit, 'LoadCredentialEncrypted'))
    writeFileSync(join(credentials, line.split(':')[0] ?? ''), 'ab'.repeat(32), { mode: 0o400 });
  mkdirSync(join(credentials, 'state'));
  const original = process.env;
  process.env = Object.fromEntries(
    all(unit, 'Environment').map((pair) => pair.replace('%d', credentials).split('=') as [string, string]),
  );
  try {
    return work();
  } finally {
    process.env = original;
    rmSync(credentials, { recursive: true });
  }
}

describe.each(UNITS)('the unit %s', (unit) => {
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
  ])('contains %s=%s once', (name, value) => {
    expect(all(unit, name)).toEqual([value]);
  });

  test('does not let a process trace another process, read another process’s memory or start a program other than Node', () => {
    expect(all(unit, 'SystemCallFilter').join(' ')).toMatch(/~.*@debug.*process_vm_readv.*ptrace/);
    expect([all(unit, 'NoExecPaths'), all(unit, 'ExecPaths').join(' ').split(' ')[0]]).toEqual([['/'], '/usr/bin/node']);
  });

  test('starts Node with the flags of the image', () => {
    const [, flags] = /CMD \[(.*), "dist\/signer\/main\.js"\]/.exec(dockerfileText) ?? [];
    expect(JSON.parse(`[${flags}]`)).toEqual(all(unit, 'ExecStart').join().match(/--\S+/g));
  });

  const analyze = spawnSync('systemd-analyze', ['security', '--offline=true', pathOf(unit)], { encoding: 'utf8' });
  (analyze.error ? test.failing : test)('on a machine with systemd, systemd itself rates the unit as safe', () => {
    expect(analyze.error).toBeUndefined();
    expect(analyze.stdout).toMatch(new RegExp(`Overall exposure level for ${unit}\\.service: 0\\.\\d SAFE`));
  });
});

test('the replica has each restriction of the signer', () => {
  const restrictions = (unit: (typeof UNITS)[number]) =>
    settingsOf(unit).filter(([name]) =>
      /^(Private|Protect|Restrict|NoNew|Capability|Ambient|System|Memory|NoExec|Exec|Lock|KeyringMode|RemoveIPC|Device|IPAddress|Tasks|UMask)/.test(
        name,
      ),
    );
  const [signer, replica] = [restrictions('strongroom-signer'), restrictions('strongroom-replica')];
  expect(signer.length).toBeGreaterThan(30);
  expect(replica.filter(([name]) => name !== 'ExecStart')).toEqual(signer.filter(([name]) => name !== 'ExecStart'));
});

test('the signer of the local trial is started with the same flags', () => {
  const [, flags = ''] = /signer: \[(.*)\]/.exec(readFileSync(join(ROOT, 'scripts', 'supervisor', 'service.mjs'), 'utf8')) ?? [];
  expect(flags.match(/--[\w-]+(=\w+)?/g)).toEqual(all('strongroom-signer', 'ExecStart').join().match(/--\S+/g));
});

test('the units set every variable that signer and replica need in production', () => {
  expect(inUnit('strongroom-signer', readSignerConfig)).toMatchObject({
    place: { path: '/run/strongroom-signer/socket' },
    switches: new Set(),
  });
  expect(inUnit('strongroom-replica', readReplicaConfig)).toMatchObject({
    place: { path: '/run/strongroom-replica/socket' },
    stateDir: '/var/lib/strongroom-replica',
  });
});
