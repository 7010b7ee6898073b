import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SOURCE_FOLDERS } from './support/import-table';

const ROOT = join(__dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

test('boundaries.cjs lists every folder that contains our source', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const folders = new Set(tracked.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))));
  folders.delete('test');
  expect([...folders].sort()).toEqual([...SOURCE_FOLDERS].sort());
});

test('the type check and the search for unused code read the same folders', () => {
  const { include } = z.object({ include: z.array(z.string()) }).parse(JSON.parse(read('tsconfig.json')));
  const { project } = z.object({ project: z.array(z.string()) }).parse(JSON.parse(read('knip.json')));
  const [, searched = ''] = /^\{(.*)\}/.exec(project[0] ?? '') ?? [];
  const expected = [...SOURCE_FOLDERS, 'test'].sort();
  expect([[...include].sort(), searched.split(',').sort()]).toEqual([expected, expected]);
});

describe('a folder that only boundaries.cjs lists', () => {
  let tree: string;
  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), 'strongroom-folders-'));
    cpSync(join(ROOT, 'scripts'), join(tree, 'scripts'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    for (const file of ['package.json', 'package-lock.json', '.dependency-cruiser.cjs', 'tsconfig.json'])
      cpSync(join(ROOT, file), join(tree, file));
    writeFileSync(join(tree, 'boundaries.cjs'), 'module.exports = { domain: [], planted: [] };\n');
    for (const folder of ['domain', 'planted']) mkdirSync(join(tree, folder));
    writeFileSync(join(tree, 'domain', 'one.ts'), 'export const one = 1;\n');
    writeFileSync(join(tree, 'planted', 'two.ts'), "export * from '../domain/one';\n");
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  test('is built', () => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: tree });
    expect(readFileSync(join(tree, 'dist', 'planted', 'two.js'), 'utf8')).toContain('require("../domain/one")');
  });

  test('is checked for forbidden imports', () => {
    const source = `const { STEPS } = await import('${tree}/scripts/check.mjs'); console.log(STEPS.find(([name]) => name === 'boundaries')[1].join(' '));`;
    const words = execFileSync(process.execPath, ['--input-type=module', '-e', source], { cwd: tree, encoding: 'utf8' });
    expect(words.trim().split(' ').slice(-2)).toEqual(['domain', 'planted']);
  });
});
