import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/compose';
import { SOURCE_FOLDERS } from '../support/import-table';

/** The folders of code that no image contains and that no shipped file may name. */
const UNSHIPPED = ['drill', 'bench', 'red-team'];
/** The parts of an installation other than the code. */
const CONFIGURATION = ['Dockerfile', 'docker-compose.yml', 'deploy'];
const NAMED = /drill|DRILL_|BENCH_|\bbench\/|red-team\//i;

const shipped = SOURCE_FOLDERS.filter((folder) => !UNSHIPPED.includes(folder));

const filesUnder = (path: string): readonly string[] =>
  statSync(join(ROOT, path)).isFile()
    ? [path]
    : readdirSync(join(ROOT, path), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules') && !/\.(node|png|ico)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

const naming = (paths: readonly string[], read = (path: string) => readFileSync(join(ROOT, path), 'utf8')) =>
  paths.filter((path) => NAMED.test(path) || NAMED.test(read(path)));

test.each(shipped)('nothing in %s names the drill or a bench', (folder) => {
  const files = filesUnder(folder);
  expect(files.length).toBeGreaterThan(0);
  expect(naming(files)).toEqual([]);
});

test('images and the configuration of an installation name nothing of the drill or a bench', () => {
  expect(naming(CONFIGURATION.flatMap(filesUnder))).toEqual([]);
});

test.each([
  ['a variable of a configuration', 'worker/config.ts', '    DRILL_GATE_SOCKET: z.string().optional(),'],
  ['a folder that is copied into an image', 'Dockerfile', 'COPY drill drill'],
  ['a file of its own', 'worker/drill.ts', 'export {};'],
  ['an import', 'api/services.ts', "import { x } from '../bench/x';"],
  ['an import of the attacker', 'signer/main.ts', "import { x } from '../red-team/run';"],
])('%s would be found', (_what, path, text) => {
  expect(naming([path], () => text)).toEqual([path]);
});
