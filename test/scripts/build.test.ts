import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inline, ROOT, run, SCRIPTS } from './script';

jest.setTimeout(60_000);
let root: string;
const put = (path: string, text: string) => writeFileSync(join(root, path), text);
const build = () => run(inline(`import { build } from '${SCRIPTS}/build.mjs'; console.log(await build('${root}'));`));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'strongroom-build-'));
  for (const folder of ['domain', 'worker', 'workflows']) mkdirSync(join(root, folder));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const file of ['package.json', 'package-lock.json']) put(file, '{}');
  put('domain/sum.ts', 'export const sum = (a: number, b: number): number => a + b;\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the build compiles a source once and after each change, and deletes the output of a deleted source', async () => {
  expect((await build()).output).toContain('1 of 1 files compiled');
  expect(readFileSync(join(root, 'dist/domain/sum.js'), 'utf8')).toContain('sourceMappingURL=sum.js.map');
  expect((await build()).output).toContain('nothing changed');
  put('domain/sum.ts', 'export const sum = (a: number, b: number): number => b + a + 0;\n');
  expect((await build()).output).toContain('1 of 1 files compiled');
  rmSync(join(root, 'domain/sum.ts'));
  put('domain/other.ts', 'export {};\n');
  await build();
  expect(existsSync(join(root, 'dist/domain/sum.js'))).toBe(false);
  expect(existsSync(join(root, 'dist/domain/sum.js.map'))).toBe(false);
});

test('a failed build reports the faulty file, and the next build tries again', async () => {
  put('domain/broken.ts', 'export const = ;\n');
  const { code, output } = await build();
  expect(code).not.toBe(0);
  expect(output).toContain('broken.ts');
  expect((await build()).code).not.toBe(0);
  put('domain/broken.ts', 'export const whole = 1;\n');
  expect((await build()).code).toBe(0);
});

test('the workflow bundle is rebuilt only if something in it has changed', async () => {
  const marker =
    '"use strict"; fs.writeFileSync(path.join(__dirname, "..", "workflow-bundle.js"), String(process.hrtime.bigint()));';
  put('worker/bundle.ts', `import fs from 'node:fs';\nimport path from 'node:path';\n${marker}\n`);
  put('workflows/transfer.ts', 'export {};\n');
  expect((await build()).output).toContain('workflow bundle written');
  expect((await build()).output).toContain('workflow bundle kept');
  put('worker/other.ts', 'export {};\n');
  expect((await build()).output).toContain('workflow bundle kept');
  put('workflows/transfer.ts', 'export const changed = 1;\n');
  expect((await build()).output).toContain('workflow bundle written');
});
