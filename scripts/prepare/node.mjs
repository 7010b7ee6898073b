import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, run } from './run.mjs';
import { announce } from './step.mjs';

/** From this version on, Node can require() ESM-only packages without a flag. */
const NODE_MINIMUM = [20, 19];

export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1])) return { detail: `v${version}` };
  throw new Refusal(
    `Node ${version} is too old: Strongroom needs Node ${NODE_MINIMUM.join('.')} or newer; put a newer one first on PATH.`,
  );
}

/** Installs the packages of the lock file if the installation differs. `flags` are flags of npm, such as --omit=dev. */
export async function installDependencies(root, env, flags = ['--include=dev', '--include=optional']) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  refuseWithoutHash(JSON.parse(lockText), flags);
  const stamp = join(root, 'node_modules', '.strongroom-lock');
  const wanted = createHash('sha256').update(lockText).digest('hex');
  if (readOr(stamp, '') === wanted || agrees(root, JSON.parse(lockText))) return { detail: 'up to date with the lock file' };
  announce('npm ci, about half a minute');
  try {
    // With NODE_ENV=production and without `flags`, npm would leave out packages that the build needs.
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...flags], { cwd: root, env });
  } catch (error) {
    throw new Refusal(
      `The dependencies could not be installed. Tried: npm ci: ${error.message}\n  Set npm_config_registry to a registry that can be reached.`,
    );
  }
  writeFileSync(stamp, wanted);
  return { detail: 'installed by npm ci' };
}

/** Refuses a package without a hash, because npm would install whatever package the registry sends. */
function refuseWithoutHash({ packages }, flags) {
  const found = withoutHash(packages, { flags });
  if (found.length === 0) return;
  throw new Refusal(
    `package-lock.json has no integrity hash of packages for this machine (${process.platform} ${process.arch}): ${found.join(', ')}.\n` +
      '  Run node scripts/complete-lock.mjs with a registry that serves them, look at the difference, and commit it.',
  );
}

/** The packages without an integrity hash that `npm ci` with these flags would fetch on this machine. */
export function withoutHash(packages, { flags = [], machine = { os: process.platform, cpu: process.arch, libc: libcHere() } }) {
  const isOmitted = ({ dev, optional, devOptional }) => {
    const [noDev, noOptional] = [flags.includes('--omit=dev'), flags.includes('--omit=optional')];
    return (dev && noDev) || (optional && noOptional) || (devOptional && noDev && noOptional);
  };
  const isFor = ({ os, cpu, libc }) =>
    [
      [os, machine.os],
      [cpu, machine.cpu],
      [libc, machine.libc],
    ].every(([wanted, here]) => wanted === undefined || here === undefined || wanted.includes(here));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.link && !entry.integrity && !isOmitted(entry) && isFor(entry))
    .map(([path, { version }]) => `${nameOf(path)}@${version}`);
}

/** The name of a package, from its path in node_modules. */
export const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function libcHere() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * Compares npm's record of the installation with the lock file. The record may lack only optional packages for other platforms.
 */
function agrees(root, lock) {
  const file = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(file)) return false;
  const installed = JSON.parse(readFileSync(file, 'utf8')).packages;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (!found) return wanted.optional === true && !isForThisMachine(wanted);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** An optional package that names no platform is a dependency of a package for another platform, so the result is false. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os || !cpu || libc) return false;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

function readOr(file, fallback) {
  return existsSync(file) ? readFileSync(file, 'utf8') : fallback;
}
