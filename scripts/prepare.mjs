import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { findPostgres } from './postgres.mjs';
import { findAnvil } from './prepare/anvil.mjs';
import { findCashNode } from './prepare/cash-node.mjs';
import { findCoinNodes } from './prepare/coin-nodes.mjs';
import { findComposeSchema } from './prepare/compose-schema.mjs';
import { findNative } from './prepare/native.mjs';
import { checkNode, installDependencies } from './prepare/node.mjs';
import { Refusal } from './prepare/run.mjs';
import { step } from './prepare/step.mjs';
import { findTemporal } from './prepare/temporal.mjs';
import { findTestServer } from './prepare/test-server.mjs';
import { findZsh } from './prepare/zsh.mjs';
import { takeLock } from './supervisor/lock.mjs';

/**
 * Prints one line per step, and returns the paths of the programs. Two preparations of the same clone run one after the other,
 * because npm and the build write to the same folders.
 */
export async function prepare({ root, env, forTests = false, localNetworks = [] }) {
  const cacheFolder = env.STRONGROOM_CACHE || join(root, '.cache');
  const own = join(root, '.cache');
  mkdirSync(own, { recursive: true });
  const release = await takeLock(join(own, 'prepare.lock'), {
    wait: 'Another preparation of this clone is running; waiting for it.',
  });
  try {
    process.stdout.write('Preparing\n');
    await step('Node', async () => checkNode());
    await step('dependencies', () => installDependencies(root, env));
    await step('build', async () => ({ detail: await build(root) }));
    const where = { root, cacheFolder, env };
    const native = await step('signer arithmetic', () => findNative(where));
    const postgresBin = env.DATABASE_URL && !forTests ? undefined : await step('Postgres', () => findPostgres(where));
    const temporal = env.TEMPORAL_ADDRESS && !forTests ? undefined : await step('Temporal server', () => findTemporal(where));
    const testServer = forTests ? await step('Temporal test server', () => findTestServer(where)) : undefined;
    const anvil = await step('local chain (anvil)', () => findAnvil(where));
    const wanted = (part) => forTests || localNetworks.some(({ needs }) => needs === part);
    const nodes = (title, find) => nodesFor(title, () => find(where), forTests);
    const coinNodes = wanted('coinNodes') ? await nodes('Bitcoin and Litecoin', findCoinNodes) : undefined;
    const cashNode = wanted('cashNode') ? await nodes('Bitcoin Cash', findCashNode) : undefined;
    if (forTests) await nodes('compose schema', findComposeSchema);
    const zsh = forTests ? await nodes('zsh', findZsh) : undefined;
    return { native, postgresBin, temporal, testServer, anvil, coinNodes, cashNode, zsh };
  } finally {
    release();
  }
}

/** Runs `find` as a step. If `find` refuses, a test run continues, and only the tests that need the result fail. */
async function nodesFor(title, find, forTests) {
  try {
    return await step(title, find);
  } catch (error) {
    if (!forTests || !(error instanceof Refusal)) throw error;
    process.stdout.write(`${error.message}\n`);
    return undefined;
  }
}
