import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/compose';

const BUILT = join(ROOT, 'dist', 'strongroom-verify.mjs');
/** The only modules that the program may load. None of them opens a connection or starts a program. */
const LOADED = ['crypto', 'fs', 'fs/promises', 'module', 'os', 'path', 'process', 'readline/promises', 'util'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-main-'));
  // The file is the only one in its folder, as on an approver's machine.
  cpSync(BUILT, join(folder, 'strongroom-verify.mjs'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['strongroom-verify.mjs', ...words], { cwd: folder, encoding: 'utf8', env: { HOME: folder } });

test('the file loads only these modules of Node', () => {
  const text = readFileSync(BUILT, 'utf8');
  const named = [...text.matchAll(/(?:require\(|from |import\()"(?:node:)?([a-z0-9_/]+)"/g)].map(([, name = '']) => name);
  expect([...new Set(named)].filter((name) => builtinModules.includes(name)).sort()).toEqual(LOADED);
  const outer = [...text.matchAll(/__WEBPACK_EXTERNAL\w+\("([^"\n]+)"\)/g)].map(([, name = '']) => name);
  expect(outer.length).toBeGreaterThan(0);
  expect(outer.filter((name) => !name.startsWith('node:'))).toEqual([]);
});

test('the build writes the digest of the file', () => {
  const digest = createHash('sha256').update(readFileSync(BUILT)).digest('hex');
  expect(readFileSync(`${BUILT}.sha256`, 'utf8')).toBe(`${digest}  strongroom-verify.mjs\n`);
});

test('help exits with 0, a refusal with 1, and a usage error with 2', () => {
  writeFileSync(join(folder, 'junk'), 'x'.repeat(1024 * 1024));
  expect(run('trust', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--operator-key') });
  const refused = run('approval', '--file', 'junk');
  expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^REFUSED: junk does not hold/) });
  for (const words of [[], ['constructor'], ['approval'], ['request'], ['approval', '--file', 'none'], ['trust', '--nonsense']])
    expect(run(...words)).toMatchObject({ status: 2, stdout: '' });
});
