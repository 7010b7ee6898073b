import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLEET_CHECKS } from '../../platform/fleets/checks';
import { ROOT } from '../support/compose';

const [, section = ''] = readFileSync(join(ROOT, 'docs', 'fleets.md'), 'utf8').split('## Attacks on a ceremony');
const rows = [...section.matchAll(/^\| (?!Attack|-)(.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, attack = '', by = '', title = '']) => ({
    attack,
    by,
    title,
  }),
);
const FOLDERS = ['offline-signer', 'platform/fleets', 'activities/fleets', 'api/key-stores'];
const tests = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, 'test', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
);

test('each of the 32 attacks has a test, and a check that exists', () => {
  expect(rows).toHaveLength(32);
  expect(new Set(rows.map(({ attack }) => attack)).size).toBe(32);
  const missing = rows.filter(({ title }) => !tests.some((text) => text.includes(`'${title}'`)));
  expect(missing.map(({ title }) => title)).toEqual([]);
  const named = rows.flatMap(({ by }) => [...by.matchAll(/(?<!\d )`(\w+)`/g)].map(([, check]) => check));
  expect(named.filter((check) => !Object.hasOwn(FLEET_CHECKS, check ?? ''))).toEqual([]);
});
