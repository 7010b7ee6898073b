// Runs the service as `npm start` does. The parent process sends messages to kill, pause and restart individual parts. When the
// parent ends, all parts end too.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { takeLock } from './supervisor/lock.mjs';
import { createOutput } from './supervisor/output.mjs';
import { checkDataFolder, checkPorts, makeRuntimeFolder } from './supervisor/preflight.mjs';
import { createProcessGroup } from './supervisor/process-group.mjs';
import { startService } from './supervisor/service.mjs';
import { lockFile, readSettings } from './supervisor/settings.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The supervisor restarts a part that ended unexpectedly, as a container runtime does. */
const RESTART_AFTER_MS = 1_000;

const output = createOutput();
const processGroup = createProcessGroup(output, revive);
const extra = new Map();
let service;
let reportDeath;
const diedEarly = new Promise((_, reject) => (reportDeath = reject));
diedEarly.catch(() => undefined);

process.on('disconnect', () => process.exit(1));
process.on('message', async ({ id, order, args }) => {
  try {
    answer({ id, result: await orders[order](...args) });
  } catch (error) {
    answer({ id, error: error.message });
  }
});

const answer = (message) => process.connected && process.send(message);
const roleOf = (name) => name.split('-')[0];

const orders = {
  /**
   * `parts` contains the paths that `prepare` has returned. `env` contains additional variables for each process, by the name of
   * the process.
   */
  async begin(parts, env) {
    for (const [name, values] of Object.entries(env)) extra.set(name, values);
    const settings = readSettings(ROOT, process.env);
    checkDataFolder(settings.dataFolder);
    await takeLock(lockFile(settings.dataFolder), { taken: (pid) => `process ${pid} runs on ${settings.dataFolder}` });
    const hosts = await checkPorts(settings, { patient: true });
    const runtimeFolder = makeRuntimeFolder(settings.dataFolder);
    process.on('exit', () => rmSync(runtimeFolder, { recursive: true, force: true }));
    const moreEnv = (name) => extra.get(name) ?? {};
    const starting = startService({ settings, env: process.env, parts, runtimeFolder, hosts, processGroup, output, moreEnv });
    service = await Promise.race([starting, diedEarly]);
    const { apiUrl, firstRunFile, signerSocket } = service;
    return { apiUrl, firstRunFile, signerSocket, dataFolder: settings.dataFolder, ports: settings.ports, runtimeFolder };
  },
  async kill(name) {
    const child = processGroup.leave(name);
    child.kill();
    await child.exited;
  },
  async start(name, env) {
    if (env) extra.set(name, env);
    await service.start(roleOf(name), name);
  },
  signal: (name, signal) => process.kill(-processGroup.pidOf(name), signal),
  pidOf: (name) => processGroup.pidOf(name),
  async end() {
    await processGroup.stopAll();
    setImmediate(() => process.exit(0));
  },
};

async function revive(name, how) {
  if (!service) return reportDeath(new Error(`${name} ended while the service was starting (${how})`));
  answer({ died: name, how });
  await delay(RESTART_AFTER_MS);
  await service.start(roleOf(name), name).catch((error) => output.lineOf(name)(error.message));
}
