import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCluster, placeCluster, startPostgres } from '../postgres.mjs';
import { Refusal, run } from '../prepare/run.mjs';
import { startChild } from './child.mjs';
import { ensureDatabase } from './database.mjs';
import { answersHttp, answersRpc, listensOn, untilReady } from './readiness.mjs';
import { baseEnv, roleEnvs } from './roles.mjs';
import { ensureDatabasePasswords, ensureSecrets } from './secrets.mjs';
import { startTemporal } from './temporal.mjs';

/** Starts every part in the order of their needs, the independent ones side by side, and answers when the API is ready. */
export async function startService({ settings, env, parts, runtimeFolder, hosts, troupe, output }) {
  const { root, ports, dataFolder, embedded } = settings;
  const secrets = ensureSecrets(dataFolder);
  const given = {
    DATABASE_URL: env.DATABASE_URL,
    RELAY_DATABASE_URL: env.RELAY_DATABASE_URL,
    OWNER_DATABASE_URL: env.OWNER_DATABASE_URL,
  };
  const program = (role, file, roleEnv) => {
    const args = ['--enable-source-maps', join(root, 'dist', file)];
    return troupe.add(
      startChild({ role, command: process.execPath, args, env: roleEnv, cwd: root, onLine: output.lineOf(role) }),
    );
  };
  const once = async (role, file, roleEnv) => {
    try {
      const { stdout } = await run(process.execPath, ['--enable-source-maps', join(root, 'dist', file)], {
        cwd: root,
        env: roleEnv,
      });
      stdout.trim().split('\n').filter(Boolean).forEach(output.lineOf(role));
    } catch (error) {
      throw new Refusal(`${role} failed: ${error.message}`);
    }
  };

  const startDatabase = async () =>
    embedded.postgres ? startEmbedded({ settings, env, parts, runtimeFolder, troupe, output }) : given;
  const temporal = embedded.temporal
    ? startTemporal({ settings, env: baseEnv(env), cli: parts.temporal, troupe, output })
    : undefined;
  temporal?.catch(() => undefined);
  const databases = await startDatabase();
  const envs = roleEnvs({ settings, env, secrets, databases, runtimeFolder, anvil: parts.anvil, hosts });

  mkdirSync(join(dataFolder, 'chain'), { recursive: true, mode: 0o700 });
  mkdirSync(join(dataFolder, 'signer'), { recursive: true, mode: 0o700 });
  program('chain', 'local/chain.js', envs.chain);
  program('signer', 'signer/main.js', envs.signer);
  await once('migrate', 'entities/migrate.js', envs.migrate);
  const production = envs.api.NODE_ENV === 'production';
  await Promise.all([
    untilReady('the local chain', () => answersRpc(ports.chain)),
    untilReady('the signer', () => listensOn(envs.socket)),
    temporal,
  ]);
  program('worker', 'worker/main.js', envs.worker);
  if (!production) await once('first-run', 'local/first-run.js', envs.firstRun);
  program('api', 'api/main.js', envs.api);
  await untilReady('the worker', () => answersHttp(`http://127.0.0.1:${ports.health}/health/ready`));
  await untilReady('the API', () => answersHttp(`http://127.0.0.1:${ports.api}/health/ready`));
  return {
    apiUrl: envs.apiUrl,
    temporalUiUrl: envs.temporalUiUrl,
    dataFolder,
    firstRunFile: production ? undefined : envs.firstRunFile,
  };
}

async function startEmbedded({ settings, env, parts, runtimeFolder, troupe, output }) {
  const { root, ports, dataFolder } = settings;
  const passwords = ensureDatabasePasswords(dataFolder);
  const place = await placeCluster({ bin: parts.postgresBin, folder: join(dataFolder, 'postgres'), env: baseEnv(env) });
  if (place.note) output.lineOf('postgres')(place.note);
  await ensureCluster(place, { password: passwords.superuser });
  await startPostgres(place, {
    port: ports.postgres,
    socketFolder: join(runtimeFolder, 'postgres'),
    settings: { max_connections: 200, timezone: 'UTC', log_checkpoints: 'off', log_min_messages: 'warning' },
    onLine: output.lineOf('postgres'),
    onSpawn: troupe.add,
  });
  return ensureDatabase({ root, port: ports.postgres, passwords });
}
