import { join } from 'node:path';
import { cached, isExecutable, onPath } from './cache.mjs';
import { unpackDebian } from './debian.mjs';
import { Refusal, run } from './run.mjs';
import { firstThatWorks } from './step.mjs';

/** The zsh in this package is statically linked and runs from any folder. */
const PACKAGE = 'zsh-static';
const PROGRAM = join('usr', 'bin', 'zsh-static');
const ANSWERS_WITHIN_MS = 20_000;

/**
 * Only the test that runs the README's commands needs zsh. The program comes from `ZSH_PATH`, from the machine, or from
 * Debian's package in the cache.
 */
export async function findZsh({ cacheFolder, env }) {
  const given = env.ZSH_PATH;
  if (given && !isExecutable(given)) throw new Refusal(`ZSH_PATH names no executable file: ${given}`);
  if (given) return { detail: 'ZSH_PATH', value: given };
  const key = `zsh-debian-trixie-${process.platform}-${process.arch}`;
  const kept = join(cacheFolder, key, PROGRAM);
  const ways = [
    { way: 'cache', attempt: () => (isExecutable(kept) ? kept : undefined) },
    { way: 'the zsh of this machine', attempt: () => onPath('zsh', env) },
    {
      way: "Debian's package, by apt into a root of its own",
      attempt: async () => join(await cached(cacheFolder, key, (folder) => download(folder, env)), PROGRAM),
    },
  ];
  return firstThatWorks('zsh', ways, 'Set ZSH_PATH to a zsh of your own; without zsh the README is pasted only into bash.');
}

async function download(folder, env) {
  const saying = 'fetching zsh, once: 2 MB, a few seconds';
  const keep = (name) => name.startsWith(`${PACKAGE}_`);
  await unpackDebian(folder, { suites: ['trixie'], packages: [PACKAGE], keep, saying, env });
  await run(join(folder, PROGRAM), ['-c', 'true'], { env, limitMs: ANSWERS_WITHIN_MS });
}
