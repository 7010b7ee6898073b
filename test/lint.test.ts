import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');

/** The rules of biome.json that we rely on, each with the smallest file that breaks the rule. */
const FAULTS: Readonly<Record<string, readonly [file: string, text: string]>> = {
  noFloatingPromises: ['api/floating.ts', 'const save = async () => 1;\nexport function run() {\n  save();\n}\n'],
  noMisusedPromises: ['api/misused.ts', 'const ready = async () => true;\nexport const answer = ready() ? 1 : 2;\n'],
  noExplicitAny: ['api/any.ts', 'export const x: any = 1;\n'],
  noConsole: ['api/console.ts', "export const say = () => console.log('x');\n"],
  noBarrelFile: ['api/barrel.ts', "export { x } from './any';\n"],
  noReExportAll: ['api/all.ts', "export * from './any';\n"],
  noDefaultExport: ['api/default.ts', 'export default 1;\n'],
  useImportType: ['api/import-type.ts', "import { T } from './type';\nexport const t: T = 1;\n"],
  noUnusedImports: ['api/unused.ts', "import { x } from './any';\nexport const y = 1;\n"],
  noNonNullAssertion: ['api/non-null.ts', 'export const first = (list: string[]) => list[0]!.length;\n'],
  noSkippedTests: ['test/skipped.test.ts', "test.skip('x', () => undefined);\n"],
  noFocusedTests: ['test/focused.test.ts', "test.only('x', () => undefined);\n"],
  noTsIgnore: ['api/ignore.ts', '// @ts-ignore\nexport const z = 1;\n'],
  useFilenamingConvention: ['api/someName.ts', 'export const name = 1;\n'],
  useNodejsImportProtocol: ['api/protocol.ts', "import { readFileSync } from 'fs';\nexport const read = readFileSync;\n"],
  useThrowOnlyError: ['api/throw.ts', "export const fail = () => {\n  throw 'x';\n};\n"],
  format: ['api/format.ts', 'export   const w = "1"\n'],
};

describe('the linter enforces the rules of biome.json', () => {
  const tree = mkdtempSync(join(tmpdir(), 'lint-'));
  let report = '';

  beforeAll(() => {
    cpSync(join(ROOT, 'biome.json'), join(tree, 'biome.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    for (const [file, text] of [...Object.values(FAULTS), ['api/type.ts', 'export type T = number;\n'] as const]) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    }
    const biome = join('node_modules', '@biomejs', 'biome', 'bin', 'biome');
    const args = [biome, 'ci', '--colors=off', '--reporter=github', '--max-diagnostics=200', '--error-on-warnings'];
    report = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' }).stdout;
  }, 60_000);

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  for (const [rule, [file]] of Object.entries(FAULTS)) {
    test(`${rule} is an error`, () => {
      const named = report.split('\n').filter((line) => line.startsWith('::error') && line.includes(`/${file},`));
      expect(named.join('\n')).toMatch(new RegExp(`title=(lint/\\w+/)?${rule},`));
    });
  }
});
