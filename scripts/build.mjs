// Compiles each source file to one file under dist/, and bundles the workflows and the programs for other machines when their
// sources have changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import boundaries from '../boundaries.cjs';
import { Refusal, run } from './prepare/run.mjs';
import { bundleProgram, PROGRAMS } from './program-files.mjs';

const COPIED = /\.(sql|json|html|css|js|svg)$/;
/** The inputs of the workflow bundle. The lock file states the versions of the bundled npm packages. */
const BUNDLED = ['workflows', 'domain', 'policy', join('platform', 'failure-converter.ts'), join('worker', 'bundle.ts')];
BUNDLED.push('package-lock.json');

const SWC = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs', importInterop: 'swc' },
  sourceMaps: true,
  swcrc: false,
};

/** Compiles the changed files, and returns a short summary of the work. */
export async function build(root) {
  const out = join(root, 'dist');
  const manifestFile = join(out, '.build.json');
  const toolchain = digest(JSON.stringify(SWC) + versionOf(root, '@swc/core'));
  const before = readManifest(manifestFile, toolchain);
  const sources = Object.keys(boundaries)
    .flatMap((folder) => filesUnder(join(root, folder)))
    .map((file) => relative(root, file));
  const files = {};
  const stale = [];
  for (const source of sources) {
    const { mtimeMs, size } = statSync(join(root, source));
    files[source] = { mtimeMs, size };
    const known = before.files[source];
    if (known?.mtimeMs !== mtimeMs || known.size !== size || !existsSync(join(out, target(source)))) stale.push(source);
  }
  for (const source of Object.keys(before.files)) {
    if (files[source]) continue;
    rmSync(join(out, target(source)), { force: true });
    rmSync(join(out, `${target(source)}.map`), { force: true });
  }
  await compile(root, out, stale);
  // Written last, so that no changed file is treated as compiled after an error.
  mkdirSync(out, { recursive: true });
  replace(manifestFile, JSON.stringify({ toolchain, bundle: before.bundle, programs: before.programs, files }));
  const bundled = [await bundle(root, out, manifestFile), await programs(root, out, manifestFile)].join(', ');
  return `${stale.length === 0 ? 'nothing changed' : `${stale.length} of ${sources.length} files compiled`}, ${bundled}`;
}

async function compile(root, out, stale) {
  const typescript = stale.filter((source) => source.endsWith('.ts'));
  for (const source of stale) {
    if (!source.endsWith('.ts')) place(join(out, source), readFileSync(join(root, source)));
  }
  if (typescript.length === 0) return;
  const swc = createRequire(join(root, 'package.json'))('@swc/core');
  await Promise.all(
    typescript.map(async (source) => {
      const file = join(out, target(source));
      const names = { filename: join(root, source), sourceFileName: relative(dirname(file), join(root, source)) };
      const result = await swc.transform(readFileSync(join(root, source), 'utf8'), { ...SWC, ...names }).catch((error) => {
        throw new Refusal(`${source} cannot be compiled:\n${error.message}`);
      });
      place(`${file}.map`, result.map);
      place(file, `${result.code}//# sourceMappingURL=${file.split(sep).at(-1)}.map\n`);
    }),
  );
}

async function bundle(root, out, manifestFile) {
  if (!existsSync(join(root, 'worker', 'bundle.ts'))) return 'no workflow bundle (worker/bundle.ts does not exist)';
  const files = BUNDLED.flatMap((path) =>
    /\.\w+$/.test(path) ? [join(root, path)].filter(existsSync) : filesUnder(join(root, path)),
  ).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  const wanted = hash.digest('hex');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  if (manifest.bundle === wanted && existsSync(join(out, 'workflow-bundle.js'))) return 'workflow bundle kept';
  await run(process.execPath, [join(out, 'worker', 'bundle.js')], { cwd: root }).catch((error) => {
    throw new Refusal(`The workflow bundle could not be made: ${error.message}`);
  });
  replace(manifestFile, JSON.stringify({ ...manifest, bundle: wanted }));
  return 'workflow bundle written';
}

async function programs(root, out, manifestFile) {
  const summaries = [];
  for (const folder of Object.keys(PROGRAMS)) {
    if (!existsSync(join(root, folder, 'main.ts'))) {
      summaries.push(`no ${PROGRAMS[folder]} (${folder}/main.ts does not exist)`);
      continue;
    }
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
    const { summary, ...made } = await bundleProgram(root, out, folder, manifest.programs?.[folder]);
    replace(manifestFile, JSON.stringify({ ...manifest, programs: { ...manifest.programs, [folder]: made } }));
    summaries.push(summary);
  }
  return summaries.join(', ');
}

function readManifest(file, toolchain) {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    if (manifest.toolchain === toolchain) return manifest;
    return { files: Object.fromEntries(Object.keys(manifest.files).map((source) => [source, {}])) };
  } catch {
    return { files: {} };
  }
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && (COPIED.test(entry.name) || (entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))),
    )
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const target = (source) => source.replace(/\.ts$/, '.js');
const digest = (text) => createHash('sha256').update(text).digest('hex');
const versionOf = (root, name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

function place(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  replace(file, content);
}

/** Replaces a file atomically: a reader gets all of the old file or all of the new file. */
function replace(file, content) {
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = performance.now();
  try {
    const detail = await build(join(dirname(fileURLToPath(import.meta.url)), '..'));
    console.log(`build: ${detail} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
