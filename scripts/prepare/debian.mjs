import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './cache.mjs';
import { run } from './run.mjs';
import { announce } from './step.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DOWNLOADED_WITHIN_MS = 10 * 60_000;
const ASKED_WITHIN_MS = 20_000;
/** The library folder and the loader of each supported processor. */
export const TRIPLES = {
  x64: { folder: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/**
 * Downloads the packages with apt, and unpacks them into `folder`. `keep` selects packages by file name. apt uses a status file
 * of its own, so the machine's packages stay untouched. apt checks the signatures of Debian's archive. `saying` is printed
 * before the download begins.
 */
export async function unpackDebian(folder, { suites, packages, keep = () => true, saying, env }) {
  if (process.platform !== 'linux' || !TRIPLES[process.arch]) throw new Error(`not for ${process.platform} ${process.arch}`);
  for (const tool of ['apt-get', 'dpkg-deb']) if (!onPath(tool, env)) throw new Error(`${tool} is not installed`);
  if (!existsSync(KEYRING)) throw new Error(`the keys of Debian's archive are not at ${KEYRING}`);
  announce(saying);
  const apt = join(folder, 'apt');
  for (const path of ['lists/partial', 'cache/archives/partial', 'etc']) mkdirSync(join(apt, path), { recursive: true });
  writeFileSync(join(apt, 'status'), '');
  const archive = await debianArchive(env);
  const sources = suites.map((suite) => `deb [signed-by=${KEYRING}] ${archive} ${suite} main\n`);
  writeFileSync(join(apt, 'etc', 'sources.list'), sources.join(''));
  const settings = {
    'Dir::Etc::sourcelist': join(apt, 'etc', 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Debug::NoLocking': '1',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root', // apt's own user _apt could not read a private folder
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const limit = { env, limitMs: DOWNLOADED_WITHIN_MS };
  await run('apt-get', [...options, 'update'], limit);
  await run('apt-get', [...options, '--yes', '--download-only', 'install', ...packages], limit);
  const archives = join(apt, 'cache', 'archives');
  const fetched = readdirSync(archives)
    .filter((name) => name.endsWith('.deb') && keep(name))
    .sort();
  const root = join(folder, 'root');
  mkdirSync(root);
  for (const name of fetched) await run('dpkg-deb', ['-x', join(archives, name), root], limit);
  const sum = (name) =>
    createHash('sha256')
      .update(readFileSync(join(archives, name)))
      .digest('hex');
  const sums = fetched.map((name) => `${sum(name)}  ${name}\n`);
  rmSync(apt, { recursive: true });
  for (const name of readdirSync(root)) renameSync(join(root, name), join(folder, name));
  rmSync(root, { recursive: true });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** The address of the Debian archive that apt on this machine uses. The archive may be a mirror. */
async function debianArchive(env) {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { env, limitMs: ASKED_WITHIN_MS });
  const found = stdout.split('\n').find((address) => /\/debian\/?$/.test(address.trim()));
  if (!found) throw new Error('apt on this machine has no Debian archive configured');
  return found.trim();
}
