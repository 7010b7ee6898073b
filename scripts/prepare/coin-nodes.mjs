import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, isExecutable, onPath } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { announce, firstThatWorks } from './step.mjs';

/** Debian has Bitcoin Knots, a full derivative of Bitcoin Core, only in sid, and the boost that litecoind is linked with only in trixie. */
const SUITES = ['sid', 'trixie'];
const PACKAGES = ['bitcoin-knots/sid', 'litecoind/trixie'];
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DOWNLOADED_WITHIN_MS = 10 * 60_000;
const ANSWERS_WITHIN_MS = 20_000;
const TRIPLES = {
  x64: { folder: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};
/** `usr/bin/litecoind` is a shell script around the program. */
const PROGRAMS = { bitcoin: 'usr/bin/bitcoind', litecoin: 'usr/lib/litecoin/litecoind' };
const REMEDY =
  'Set BITCOIND_PATH and LITECOIND_PATH to programs of your own (bitcoind 28 or newer, litecoind 0.21.4 or newer), or start without these networks.';

/**
 * Finds bitcoind and litecoind, each as `{ command, args }` to put before its own arguments: `BITCOIND_PATH` and `LITECOIND_PATH`, or
 * Debian's packages in a root of their own under the cache. The machine's own packages and apt's state stay untouched: apt resolves
 * against an empty status file, checks the signatures of Debian's archive, and the programs run with the loader that came along.
 */
export async function findCoinNodes({ cacheFolder, env }) {
  const given = { bitcoin: env.BITCOIND_PATH, litecoin: env.LITECOIND_PATH };
  for (const [kind, path] of Object.entries(given)) {
    if (path && !isExecutable(path))
      throw new Refusal(`${kind === 'bitcoin' ? 'BITCOIND_PATH' : 'LITECOIND_PATH'} names no executable file: ${path}`);
  }
  const own = Object.fromEntries(
    Object.entries(given).flatMap(([kind, path]) => (path ? [[kind, { command: path, args: [] }]] : [])),
  );
  if (own.bitcoin && own.litecoin) return { detail: 'BITCOIND_PATH and LITECOIND_PATH', value: own };
  const key = `coin-nodes-1-${process.platform}-${process.arch}`;
  const ways = [
    { way: 'cache', attempt: () => (existsSync(join(cacheFolder, key)) ? programsIn(join(cacheFolder, key)) : undefined) },
    {
      way: "Debian's packages, by apt into a root of their own",
      attempt: async () => programsIn(await cached(cacheFolder, key, (folder) => download(folder, env))),
    },
  ];
  const { detail, value } = await firstThatWorks('The nodes of Bitcoin and Litecoin', ways, REMEDY);
  return { detail, value: { ...value, ...own } };
}

function programsIn(folder) {
  const libraries = join(folder, 'usr', 'lib', TRIPLES[process.arch].folder);
  const loader = join(libraries, TRIPLES[process.arch].loader);
  const start = ['--library-path', `${libraries}:${join(libraries, 'systemd')}`];
  return Object.fromEntries(
    Object.entries(PROGRAMS).map(([kind, path]) => [kind, { command: loader, args: [...start, join(folder, path)] }]),
  );
}

async function download(folder, env) {
  if (process.platform !== 'linux' || !TRIPLES[process.arch]) throw new Error(`not for ${process.platform} ${process.arch}`);
  for (const tool of ['apt-get', 'dpkg-deb']) if (!onPath(tool, env)) throw new Error(`${tool} is not installed`);
  if (!existsSync(KEYRING)) throw new Error(`the keys of Debian's archive are not at ${KEYRING}`);
  announce('fetching the nodes of Bitcoin and Litecoin, once: 33 MB, about 10 seconds');
  const apt = join(folder, 'apt');
  for (const path of ['lists/partial', 'cache/archives/partial', 'etc']) mkdirSync(join(apt, path), { recursive: true });
  writeFileSync(join(apt, 'status'), '');
  const archive = await debianArchive(env);
  const sources = SUITES.map((suite) => `deb [signed-by=${KEYRING}] ${archive} ${suite} main\n`);
  writeFileSync(join(apt, 'etc', 'sources.list'), sources.join(''));
  const settings = {
    'Dir::Etc::sourcelist': join(apt, 'etc', 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Debug::NoLocking': '1',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root', // the user _apt may not read a private folder
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const limit = { env, limitMs: DOWNLOADED_WITHIN_MS };
  await run('apt-get', [...options, 'update'], limit);
  await run('apt-get', [...options, '--yes', '--download-only', 'install', ...PACKAGES], limit);
  const archives = join(apt, 'cache', 'archives');
  const packages = readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .sort();
  const root = join(folder, 'root');
  mkdirSync(root);
  for (const name of packages) await run('dpkg-deb', ['-x', join(archives, name), root], limit);
  const sum = (name) =>
    createHash('sha256')
      .update(readFileSync(join(archives, name)))
      .digest('hex');
  const sums = packages.map((name) => `${sum(name)}  ${name}\n`);
  rmSync(apt, { recursive: true });
  for (const name of readdirSync(root)) renameSync(join(root, name), join(folder, name));
  rmSync(root, { recursive: true });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  for (const { command, args } of Object.values(programsIn(folder)))
    await run(command, [...args, '-version'], { env, limitMs: ANSWERS_WITHIN_MS });
}

/** The archive of Debian that apt on this machine is set to, a mirror for one. */
async function debianArchive(env) {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { env, limitMs: ANSWERS_WITHIN_MS });
  const found = stdout.split('\n').find((address) => /\/debian\/?$/.test(address.trim()));
  if (!found) throw new Error("apt on this machine knows no archive of Debian's");
  return found.trim();
}
