import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, isExecutable } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { firstThatWorks } from './step.mjs';

/** Takes `ANVIL_PATH`, or the installed package of this platform, or fetches the package into the cache. */
export async function findAnvil({ root, cacheFolder, env }) {
  if (env.ANVIL_PATH) {
    if (isExecutable(env.ANVIL_PATH)) return { detail: `ANVIL_PATH (${env.ANVIL_PATH})`, value: env.ANVIL_PATH };
    throw new Refusal(`ANVIL_PATH names no executable file: ${env.ANVIL_PATH}`);
  }
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const version = lockedVersion(root);
  const key = `anvil-${version}-${process.platform}-${process.arch}`;
  const binary = (folder) => {
    const path = join(folder, 'node_modules', name, 'bin', 'anvil');
    return isExecutable(path) ? path : undefined;
  };
  const ways = [
    { way: `npm package ${name}`, attempt: () => binary(root) },
    { way: 'cache', attempt: () => binary(join(cacheFolder, key)) },
    {
      way: `npm install ${name}@${version} into the cache`,
      attempt: async () => {
        const install = [
          'install',
          '--prefix',
          '.',
          '--no-save',
          '--no-audit',
          '--no-fund',
          '--ignore-scripts',
          `${name}@${version}`,
        ];
        return binary(await cached(cacheFolder, key, (folder) => run('npm', install, { cwd: folder, env })));
      },
    },
  ];
  return firstThatWorks('The local EVM chain (anvil)', ways, 'Set ANVIL_PATH to an anvil binary.');
}

/** The packages of all platforms have the same version. */
function lockedVersion(root) {
  const manifest = join(root, 'package.json');
  const optional = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).optionalDependencies : {};
  const entry = Object.entries(optional ?? {}).find(([name]) => name.startsWith('@foundry-rs/anvil-'));
  if (!entry) throw new Refusal('package.json names no @foundry-rs/anvil package; set ANVIL_PATH to an anvil binary.');
  return entry[1];
}
