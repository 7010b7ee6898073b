// node deploy/images/gather.mjs <folder> <compiled file>…: copies into the folder only the given files and what they can reach:
// the compiled files that they import, and the packages that those files name, with all dependencies of these packages.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOf } from './bill.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const REQUIRED = /\brequire(?:\.resolve)?\((?:"([^"]+)"|'([^']+)')\)/g;
const BUILT_IN = new Set(builtinModules);
const BRIDGES = join('node_modules', '@temporalio', 'core-bridge', 'releases');
const BRIDGE_HERE = {
  'linux x64': 'x86_64-unknown-linux-gnu',
  'linux arm64': 'aarch64-unknown-linux-gnu',
  'darwin x64': 'x86_64-apple-darwin',
  'darwin arm64': 'aarch64-apple-darwin',
}[`${process.platform} ${process.arch}`];

const isOurs = (name) => name.startsWith('.');
const packageNamed = (request) => request.split('/', request.startsWith('@') ? 2 : 1).join('/');

function compiledFile(from, request) {
  const path = resolve(dirname(from), request);
  const found = [path, `${path}.js`, join(path, 'index.js')].find(
    (candidate) => /\.\w+$/.test(candidate) && existsSync(candidate),
  );
  if (found === undefined) throw new Error(`${relative(ROOT, from)} requires ${request}, which is not compiled`);
  return found;
}

/** Returns our files that the entries can reach, and the names of the packages that these files import. */
function reach(entries) {
  const files = new Set();
  const packages = new Set();
  const visit = (file) => {
    if (files.has(file)) return;
    files.add(file);
    if (!file.endsWith('.js') || file.endsWith('workflow-bundle.js')) return;
    for (const [, quoted, request = quoted] of readFileSync(file, 'utf8').matchAll(REQUIRED)) {
      if (isOurs(request)) visit(compiledFile(file, request));
      else if (!request.startsWith('node:') && !BUILT_IN.has(request)) packages.add(packageNamed(request));
    }
  };
  entries.forEach(visit);
  return { files, packages };
}

/** Returns the folder of a package as Node resolves it from the folder `from`: in the nearest node_modules, up to `ROOT`. */
function packageFolder(from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === ROOT) return undefined;
  }
}

function packageFolders(names) {
  const folders = new Set();
  const visit = (from, name, isOptional) => {
    const folder = packageFolder(from, name);
    if (folder === undefined) {
      if (isOptional) return;
      throw new Error(`${name}, which ${relative(ROOT, from) || 'the program'} needs, is not installed`);
    }
    if (folders.has(folder)) return;
    folders.add(folder);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const optionalPeers = new Set(Object.keys(manifest.peerDependenciesMeta ?? {}));
    for (const needed of Object.keys(manifest.dependencies ?? {})) visit(folder, needed, false);
    for (const needed of Object.keys(manifest.optionalDependencies ?? {})) visit(folder, needed, true);
    for (const needed of Object.keys(manifest.peerDependencies ?? {})) {
      if (!optionalPeers.has(needed)) visit(folder, needed, true);
    }
  };
  for (const name of names) visit(ROOT, name, false);
  return folders;
}

const isOtherBridge = (path) => {
  const [platform] = path.split(`${BRIDGES}${sep}`).slice(1).join('').split(sep);
  return platform !== '' && platform !== BRIDGE_HERE;
};
/** Packages of native code ship a build for each platform, in a folder that is named after the platform. */
const isOtherPrebuild = (path) => {
  const [platform] = path.split(`${sep}prebuilds${sep}`).slice(1).join('').split(sep);
  return platform !== '' && !(platform.startsWith(process.platform) && platform.split(/[-+]/).includes(process.arch));
};
const isUnused = (path) =>
  /\.(d\.[cm]?ts|[cm]?ts|tsx|map|md|flow|cc|h|gyp|gypi)$/.test(path) && path.includes(`${sep}node_modules${sep}`);

/** Copies a package without its nested packages. `packageFolders` lists the nested packages that are needed. */
function copyPackage(folder, target) {
  cpSync(folder, target, {
    recursive: true,
    filter: (path) =>
      !path.slice(folder.length).includes(`${sep}node_modules`) &&
      !isOtherBridge(path) &&
      !isOtherPrebuild(path) &&
      !isUnused(path),
  });
}

/**
 * Returns the shared libraries in the folder of a native file. The native file is linked with these libraries and loads them from
 * its own folder.
 */
const sharedBeside = (file) =>
  readdirSync(dirname(file))
    .filter((name) => /\.so\.\d+$/.test(name))
    .map((name) => join(dirname(file), name));

function gather(target, entries) {
  const { files, packages } = reach(entries.map((entry) => resolve(ROOT, entry)));
  const compiled = [];
  for (const file of files) {
    // A native file can be missing only outside an image build: in a build the previous step has compiled the file or failed.
    if (file.endsWith('.node') && !existsSync(file)) {
      process.stdout.write(
        `${basename(target)}: gathered without ${basename(file)}, because this machine has no compiler for it\n`,
      );
      continue;
    }
    cpSync(file, join(target, relative(ROOT, file)));
    if (file.endsWith('.node')) compiled.push(file, ...sharedBeside(file));
    if (existsSync(`${file}.map`)) cpSync(`${file}.map`, join(target, `${relative(ROOT, file)}.map`));
  }
  for (const file of compiled) cpSync(file, join(target, relative(ROOT, file)));
  const folders = packageFolders(packages);
  for (const folder of folders) copyPackage(folder, join(target, relative(ROOT, folder)));
  for (const name of ['package.json', 'LICENSE']) cpSync(join(ROOT, name), join(target, name));
  cpSync(join(ROOT, 'deploy', 'images', 'health.mjs'), join(target, 'health.mjs'));
  const bill = billOf({ root: ROOT, image: basename(target), folders, compiled });
  writeFileSync(join(target, 'bill-of-materials.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const copied = `${files.size} files of ours, ${folders.size} packages`;
  process.stdout.write(`${basename(target)}: ${copied}\n`);
}

const [target, ...entries] = process.argv.slice(2);
if (target === undefined || entries.length === 0)
  throw new Error('Usage: node deploy/images/gather.mjs <folder> <compiled file>…');
gather(resolve(target), entries);
