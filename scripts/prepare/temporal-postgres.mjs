import { join } from 'node:path';
import { cached, isExecutable } from './cache.mjs';
import { Refusal, run } from './run.mjs';
import { announce, firstThatWorks } from './step.mjs';
import { goTool } from './temporal.mjs';

/** Must agree with tools/temporal-postgres/go.mod. */
const SERVER_VERSION = '1.31.2';
const KEY = `temporal-server-${SERVER_VERSION}-${process.platform}-${process.arch}`;
const BUILD_WITHIN_MS = 20 * 60_000;
const PROGRAMS = { server: 'go.temporal.io/server/cmd/server', sql: 'go.temporal.io/server/cmd/tools/sql' };

/** Finds or builds Temporal's server for Postgres and its schema tool. */
export async function findTemporalOnPostgres({ root, cacheFolder, env }) {
  const remedy = 'Set TEMPORAL_SERVER_PATH and TEMPORAL_SQL_TOOL_PATH to both programs of one release.';
  const ways = [
    { way: 'TEMPORAL_SERVER_PATH and TEMPORAL_SQL_TOOL_PATH', attempt: () => given(env) },
    { way: 'cache', attempt: () => present(join(cacheFolder, KEY)) },
    { way: `build of ${SERVER_VERSION} with Go`, attempt: () => byBuild(root, cacheFolder, env) },
  ];
  return firstThatWorks('The Temporal server for Postgres', ways, remedy);
}

function given({ TEMPORAL_SERVER_PATH: server, TEMPORAL_SQL_TOOL_PATH: sql }) {
  if (!server && !sql) return undefined;
  if (!server || !sql) throw new Refusal('TEMPORAL_SERVER_PATH and TEMPORAL_SQL_TOOL_PATH go together: set both, or none.');
  for (const path of [server, sql]) if (!isExecutable(path)) throw new Refusal(`${path} is not an executable file`);
  return { server, sql };
}

function present(folder) {
  const programs = { server: join(folder, 'server'), sql: join(folder, 'sql') };
  return Object.values(programs).every(isExecutable) ? programs : undefined;
}

async function byBuild(root, cacheFolder, env) {
  const go = await goTool(env);
  announce('building the Temporal server for Postgres with Go, once: about 4 minutes on two cores');
  const options = { cwd: join(root, 'tools', 'temporal-postgres'), env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' } };
  const folder = await cached(cacheFolder, KEY, async (partial) => {
    for (const [name, source] of Object.entries(PROGRAMS)) {
      const args = ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', '-o', join(partial, name), source];
      await run(go, args, { ...options, limitMs: BUILD_WITHIN_MS });
    }
  });
  return present(folder);
}
