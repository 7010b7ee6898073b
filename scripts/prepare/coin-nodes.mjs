import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached, isExecutable } from './cache.mjs';
import { TRIPLES, unpackDebian } from './debian.mjs';
import { Refusal, run } from './run.mjs';
import { firstThatWorks } from './step.mjs';

/** Only sid has Bitcoin Knots, a full derivative of Bitcoin Core. litecoind needs a version of boost that only trixie has. */
const SUITES = ['sid', 'trixie'];
const PACKAGES = ['bitcoin-knots/sid', 'litecoind/trixie'];
const ANSWERS_WITHIN_MS = 20_000;
/** `usr/bin/litecoind` is only a shell script that starts the program. */
const PROGRAMS = { bitcoin: 'usr/bin/bitcoind', litecoin: 'usr/lib/litecoin/litecoind' };
const REMEDY =
  'Set BITCOIND_PATH and LITECOIND_PATH to programs of your own (bitcoind 28 or newer, litecoind 0.21.4 or newer), or start without these networks.';

/**
 * The programs come from `BITCOIND_PATH` and `LITECOIND_PATH`, or from Debian's packages in the cache. `args` go before the
 * node's own arguments. The `command` of a packaged program is the loader from Debian's packages.
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
  const saying = 'fetching the nodes of Bitcoin and Litecoin, once: 33 MB, about 10 seconds';
  await unpackDebian(folder, { suites: SUITES, packages: PACKAGES, saying, env });
  for (const { command, args } of Object.values(programsIn(folder)))
    await run(command, [...args, '-version'], { env, limitMs: ANSWERS_WITHIN_MS });
}
