import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCluster, placeCluster, startPostgres } from '../postgres.mjs';
import { Refusal, run } from '../prepare/run.mjs';
import { startChild } from './child.mjs';
import { rememberPorts } from './data-folder.mjs';
import { ensureDatabase } from './database.mjs';
import { answersHttp, answersRpc, listensOn, untilReady } from './readiness.mjs';
import { baseEnv, roleEnvs } from './roles.mjs';
import { ensureDatabasePasswords, ensureOperatorKey, ensureSecrets } from './secrets.mjs';
import { startTemporal } from './temporal.mjs';

/** A core dump would write the keys and tokens that are in memory to a file. */
const WITHOUT_CORES = ['/bin/sh', '-c', 'ulimit -c 0; exec "$0" "$@"'];
/** The images and the systemd units of the signer and the replica have the same flags. */
const FLAGS = { signer: ['--jitless', '--no-expose-wasm', '--disable-proto=delete', '--disallow-code-generation-from-strings'] };
FLAGS.replica = FLAGS.signer;

/**
 * Each part starts after the parts that it needs. Resolves when the API is ready. The result contains the addresses, and a
 * function `start(role)` that starts one part again. `moreEnv(role)` returns variables that override the variables of the trial.
 */
export async function startService({ settings, env, parts, runtimeFolder, hosts, processGroup, output, moreEnv = () => ({}) }) {
  const { root, ports, dataFolder, embedded } = settings;
  rememberPorts(settings);
  const secrets = ensureSecrets(dataFolder);
  if (settings.hasOfflineStore) ensureOperatorKey(dataFolder);
  const given = {
    DATABASE_URL: env.DATABASE_URL,
    WORKER_DATABASE_URL: env.WORKER_DATABASE_URL,
    RELAY_DATABASE_URL: env.RELAY_DATABASE_URL,
    OWNER_DATABASE_URL: env.OWNER_DATABASE_URL,
  };
  const program = (role, file, roleEnv) => {
    const args = [...(FLAGS[role.split('-')[0]] ?? []), join(root, 'dist', file)];
    const all = { ...roleEnv, ...moreEnv(role) };
    processGroup.add(
      startChild({
        role,
        command: process.execPath,
        args,
        env: all,
        cwd: root,
        before: WITHOUT_CORES,
        onLine: output.lineOf(role),
      }),
    );
    return all;
  };
  const once = async (role, file, roleEnv, args = []) => {
    try {
      const { stdout } = await run(process.execPath, [join(root, 'dist', file), ...args], {
        cwd: root,
        env: roleEnv,
      });
      const lines = stdout.trim().split('\n').filter(Boolean);
      lines.forEach(output.lineOf(role));
      return lines;
    } catch (error) {
      throw new Refusal(`${role} failed: ${error.message}`);
    }
  };
  const startDatabase = async () =>
    embedded.postgres ? startEmbedded({ settings, env, parts, runtimeFolder, processGroup, output }) : given;
  const startServer = () => startTemporal({ settings, env: baseEnv(env), cli: parts.temporal, processGroup, output });

  const temporal = embedded.temporal ? quietly(startServer()) : undefined;
  const databases = await startDatabase();
  const envs = roleEnvs({ settings, env, secrets, databases, runtimeFolder, parts, hosts });
  /** Each function resolves when its part is ready. A second part of the same role has a different `name` and different ports. */
  const starts = {
    postgres: startDatabase,
    temporal: startServer,
    chain: async () => {
      program('chain', 'local/chain.js', envs.chain);
      await untilReady('the local chain', () => answersRpc(ports.chain));
    },
    mailbox: async () => {
      program('mailbox', 'local/mailbox.js', envs.mailbox);
      await untilReady('the mailbox', () => answersHttp(`http://127.0.0.1:${ports.mailbox}`));
    },
    vendors: async () => {
      program('vendors', 'local/vendors/main.js', envs.vendors);
      await untilReady('the simulated vendors', () => answersHttp(`http://127.0.0.1:${ports.vendors}`));
    },
    signer: async (name = 'signer') => {
      const { SIGNER_SOCKET } = program(name, 'signer/main.js', envs.signer);
      await untilReady(`the ${name}`, () => listensOn(SIGNER_SOCKET));
    },
    replica: async () => {
      const { SIGNER_SOCKET } = program('replica', 'signer/replica/main.js', envs.replica);
      await untilReady('the replica', () => listensOn(SIGNER_SOCKET));
    },
    worker: async (name = 'worker') => {
      const { HEALTH_PORT } = program(name, 'worker/main.js', envs.worker);
      await untilReady(`the ${name}`, () => answersHttp(`http://127.0.0.1:${HEALTH_PORT}/health/ready`));
    },
    api: async (name = 'api') => {
      const { PORT } = program(name, 'api/main.js', envs.api);
      await untilReady(`the ${name === 'api' ? 'API' : name}`, () => answersHttp(`http://127.0.0.1:${PORT}/health/ready`));
    },
  };

  for (const { name, title, file, ready } of settings.localNetworks) {
    mkdirSync(join(dataFolder, 'networks', name), { recursive: true, mode: 0o700 });
    starts[name] = async () => {
      program(name, file, envs.localNetworks[name]);
      await untilReady(title, () => ready(ports[name]));
    };
  }
  mkdirSync(join(dataFolder, 'chain'), { recursive: true, mode: 0o700 });
  mkdirSync(join(dataFolder, 'signer'), { recursive: true, mode: 0o700 });
  const beneath = [temporal, quietly(starts.chain()), quietly(starts.signer())];
  // The trial has no replica. Only the drill names the folder of a replica.
  if (moreEnv('replica').SIGNER_STATE_DIR) beneath.push(quietly(starts.replica()));
  if (embedded.mailbox) beneath.push(quietly(starts.mailbox()));
  if (embedded.vendors) beneath.push(quietly(starts.vendors()));
  for (const { name } of settings.localNetworks) beneath.push(quietly(starts[name]()));
  await once('migrate', 'operator/upgrade.js', envs.migrate);
  const production = envs.api.NODE_ENV === 'production';
  await Promise.all(beneath);
  const worker = quietly(starts.worker());
  const said = production ? [] : await once('first-run', 'local/first-run.js', envs.firstRun);
  const hasUsers = said.some((line) => line.endsWith(`written to ${envs.firstRunFile}`));
  const api = quietly(starts.api());
  await worker;
  await api;
  const isPlayed = settings.hasOfflineStore && hasUsers;
  if (isPlayed) await once('fleet', 'local/fleets/first-fleet.js', envs.fleet, [dataFolder]);
  return {
    apiUrl: envs.apiUrl,
    // A passkey belongs to a host name and not to an IP address.
    peopleUrl: envs.api.ORIGINS?.split(',')[0] ?? envs.apiUrl.replace('//127.0.0.1', '//localhost'),
    temporalUiUrl: envs.temporalUiUrl,
    mailboxUrl: envs.mailboxUrl,
    vendorsUrl: envs.vendorsUrl,
    homeUrl: embedded.home ? `http://127.0.0.1:${ports.home}` : '',
    metricsUrl: metricsUrlOf(ports),
    dataFolder,
    fleetFolder: isPlayed ? join(dataFolder, 'fleets') : undefined,
    firstRunFile: hasUsers ? envs.firstRunFile : undefined,
    whyNoFile: production ? 'none in production mode' : 'none: the lines of first-run above show what exists',
    signerSocket: envs.socket,
    start: (role, name) => starts[role](name),
  };
}

/** The caller awaits the promise only later. Until then an unhandled rejection would end the process. */
function quietly(promise) {
  promise.catch(() => undefined);
  return promise;
}

/** The first port as a whole address and each further port as a number, because a line of the table has no more room. */
function metricsUrlOf({ apiMetrics, workerMetrics, sdkMetrics }) {
  const [first, ...others] = [apiMetrics, workerMetrics, sdkMetrics].filter((port) => port !== 0);
  return first && [`http://127.0.0.1:${first}/metrics`, ...others.map((port) => `:${port}`)].join(', ');
}

async function startEmbedded({ settings, env, parts, runtimeFolder, processGroup, output }) {
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
    onSpawn: processGroup.add,
  });
  return ensureDatabase({ root, port: ports.postgres, passwords });
}
