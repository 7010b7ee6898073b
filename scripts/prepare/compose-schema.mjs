import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { firstThatWorks } from './step.mjs';
import { goTool } from './temporal.mjs';

const MODULE = 'github.com/compose-spec/compose-go/v2';
/** Must agree with tools/compose-schema/go.mod. */
const KEY = 'compose-schema-2.9.0';
const FILE = 'compose-spec.json';
const FETCHED_WITHIN_MS = 2 * 60_000;

/** Only the tests of docker-compose.yml need the schema of the Compose Specification. */
export async function findComposeSchema({ root, cacheFolder, env }) {
  const given = env.COMPOSE_SCHEMA_PATH;
  if (given && !existsSync(given)) throw new Refusal(`COMPOSE_SCHEMA_PATH names no file: ${given}`);
  if (given) return { detail: 'COMPOSE_SCHEMA_PATH', value: given };
  const kept = join(cacheFolder, KEY, FILE);
  const ways = [
    { way: 'cache', attempt: () => (existsSync(kept) ? kept : undefined) },
    { way: `the Go module ${MODULE}`, attempt: async () => join(await cached(cacheFolder, KEY, fetchWith(root, env)), FILE) },
  ];
  return firstThatWorks(
    'The schema of the Compose Specification',
    ways,
    'Set COMPOSE_SCHEMA_PATH to a copy of compose-spec.json.',
  );
}

/** Fetches the schema with Go, which compares the module with go.sum. */
const fetchWith = (root, env) => async (folder) => {
  const go = await goTool(env);
  const options = { cwd: join(root, 'tools', 'compose-schema'), env: { ...env, GOWORK: 'off' }, limitMs: FETCHED_WITHIN_MS };
  const { stdout } = await run(go, ['mod', 'download', '-json', MODULE], options);
  copyFileSync(join(JSON.parse(stdout).Dir, 'schema', FILE), join(folder, FILE));
};
