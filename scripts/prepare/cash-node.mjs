import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached, isExecutable } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { announce, firstThatWorks } from './step.mjs';
import { goTool } from './temporal.mjs';

/** Must agree with tools/bitcoin-cash-node/go.mod. */
const VERSION = '0.21.1';
const BUILT_WITHIN_MS = 20 * 60_000;

/**
 * bchd is a node of Bitcoin Cash with an ISC licence. No registry has a compiled Bitcoin Cash node, so bchd is built from
 * source.
 */
export async function findCashNode({ root, cacheFolder, env }) {
  const path = env.BCHD_PATH;
  if (path && !isExecutable(path)) throw new Refusal(`BCHD_PATH names no executable file: ${path}`);
  if (path) return { detail: 'BCHD_PATH', value: { bitcoincash: { command: path, args: [] } } };
  const key = `bchd-${VERSION}-${process.platform}-${process.arch}`;
  const inCache = join(cacheFolder, key, 'bchd');
  const ways = [
    { way: 'cache', attempt: () => (existsSync(inCache) ? inCache : undefined) },
    { way: `build of ${VERSION} with Go`, attempt: () => build(root, cacheFolder, key, env) },
  ];
  const remedy = 'Set BCHD_PATH to a bchd of your own, or start without this network.';
  const { detail, value } = await firstThatWorks('The node of Bitcoin Cash', ways, remedy);
  return { detail, value: { bitcoincash: { command: value, args: [] } } };
}

async function build(root, cacheFolder, key, env) {
  const go = await goTool(env);
  announce('building the node of Bitcoin Cash with Go, once: about 2 minutes on two cores');
  const folder = await cached(cacheFolder, key, async (partial) => {
    const output = ['-o', join(partial, 'bchd'), 'github.com/gcash/bchd'];
    const args = ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', ...output];
    const options = { cwd: join(root, 'tools', 'bitcoin-cash-node'), env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' } };
    await run(go, args, { ...options, limitMs: BUILT_WITHIN_MS });
  });
  return join(folder, 'bchd');
}
