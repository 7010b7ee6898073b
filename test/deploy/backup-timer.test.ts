import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { KEEPING_COMMANDS } from '../../operator/offline-commands';
import { composeOf, composeText, ROOT, readCompose } from '../support/compose';

const UNITS = join(ROOT, 'deploy', 'systemd');
const NAMES = ['strongroom-backup.service', 'strongroom-backup.timer'];
const settingOf = (unit: string, name: string) =>
  readFileSync(join(UNITS, unit), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1));
const [started = ''] = settingOf('strongroom-backup.service', 'ExecStart');

test('the job calls the operator of the compose file with valid options and writes into the folder of the archives', () => {
  const [, service = '', command, words = ''] =
    /^\/usr\/bin\/docker compose run --rm --no-deps (\S+) (\S+) (.*)$/.exec(started) ?? [];
  expect(command).toBe('backup');
  const { values } = parseArgs({ args: words.split(' '), options: { into: { type: 'string' }, keep: { type: 'string' } } });
  const { into, keep } = KEEPING_COMMANDS.backup.options.parse(values);
  expect(keep).toBeGreaterThanOrEqual(7);
  const { services } = composeOf(readCompose(composeText, { STRONGROOM_UID: '1', STRONGROOM_GID: '1' }));
  expect(services[service]?.volumes.map((volume) => volume.split(':')[1])).toContain(into);
  expect(services[service]?.secrets).not.toContain('signer-kek');
});

test('even with the maximum delay, a daily run comes before the alert about old backups', () => {
  expect(settingOf('strongroom-backup.timer', 'OnCalendar')).toEqual(['*-*-* 02:30:00 UTC']);
  const [delay = ''] = settingOf('strongroom-backup.timer', 'RandomizedDelaySec');
  const { groups } = z
    .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })) })
    .parse(parse(readFileSync(join(ROOT, 'deploy', 'prometheus', 'alerts.yml'), 'utf8')));
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'StrongroomBackupOld');
  const [, hours] = /^max\(strongroom_backup_age_seconds\) > (\d+) \* 3600$/.exec(rule?.expr ?? '') ?? [];
  expect(Number(hours)).toBeGreaterThan(24 + Number(/^(\d+)min$/.exec(delay)?.[1]) / 60);
});

/** Faults in the settings of the units; a missing Docker is not a fault. Undefined on a machine without systemd. */
function faultsOf(change: (text: string) => string): readonly string[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  try {
    for (const name of NAMES) copyFileSync(join(UNITS, name), join(folder, name));
    const service = join(folder, 'strongroom-backup.service');
    writeFileSync(service, change(readFileSync(service, 'utf8')));
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...NAMES.map((name) => join(folder, name))], {
      encoding: 'utf8',
    });
    if (error) return undefined;
    return stderr.split('\n').filter((line) => /Failed to parse|Unknown|Invalid|Unbalanced/.test(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;
(hasSystemd ? test : test.failing)('on a machine with systemd, systemd itself understands every line', () => {
  expect(faultsOf((text) => text)).toEqual([]);
  expect(faultsOf((text) => text.replace('ProtectHome', 'ProtectHomme'))).toEqual([expect.stringContaining('ProtectHomme')]);
  expect(faultsOf((text) => text.replace('=4h', '=fourhours'))).toEqual([expect.stringContaining('fourhours')]);
});
