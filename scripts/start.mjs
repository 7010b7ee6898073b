// npm start: prepares missing programs and runs the service as a local trial, each part in a separate process.
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode } from './prepare/node.mjs';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { serveHomePage } from './supervisor/home-page.mjs';
import { LOCAL_NETWORKS, OFFLINE, wordsBehindWith } from './supervisor/local-networks.mjs';
import { takeLock } from './supervisor/lock.mjs';
import { createOutput, readyTable } from './supervisor/output.mjs';
import { checkDataFolder, checkDisk, checkPorts, makeRuntimeFolder } from './supervisor/preflight.mjs';
import { createProcessGroup } from './supervisor/process-group.mjs';
import { startService } from './supervisor/service.mjs';
import { lockFile, readSettings } from './supervisor/settings.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm start [-- --with <name>[,<name> …]]
  Runs the whole service as a local trial. --with adds local networks: ${LOCAL_NETWORKS.map(({ name }) => name).join(', ')}.
  --with ${OFFLINE} adds an offline key store, and plays its machines: npm run ceremony -- --help.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

class Stopped extends Error {}

const output = createOutput();
const processGroup = createProcessGroup(output);
const undo = [];
const started = performance.now();

const interrupted = new Promise((_, reject) => {
  // One Ctrl-C causes two signals, from the terminal and from npm. The second signal therefore has no effect.
  for (const signal of SIGNALS) process.on(signal, () => reject(new Stopped(signal)));
});
const failed = Promise.race([interrupted, processGroup.death]);
failed.catch(() => undefined);

try {
  const service = await Promise.race([start(), failed]);
  if (service.homeUrl) undo.push(await serveHomePage(service, new URL(service.homeUrl).port));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  output.say(readyTable({ ...service, seconds }));
  await failed;
} catch (error) {
  killTools();
  if (error instanceof Stopped) output.say('\nStopping');
  else process.stderr.write(`\n${error instanceof Refusal ? error.message : error.stack}\n`);
  await processGroup.stopAll();
  for (const step of undo.reverse()) step();
  process.exit(error instanceof Stopped ? 0 : 1);
}

/** All checks that can refuse the start run before the processes start. */
async function start() {
  checkNode();
  const words = wordsBehindWith(process.argv.slice(2));
  const env = { ...process.env, LOCAL_NETWORKS: [process.env.LOCAL_NETWORKS, words].filter(Boolean).join(',') };
  const settings = readSettings(ROOT, env);
  checkDataFolder(settings.dataFolder);
  const taken = (pid) =>
    `Strongroom already runs on ${settings.dataFolder} (process ${pid}); stop it, or set STRONGROOM_DATA to another folder.`;
  const release = await takeLock(lockFile(settings.dataFolder), { taken });
  undo.push(release);
  checkDisk(settings.dataFolder);
  await checkPorts(settings, { patient: release.tookOver });
  const parts = await prepare({ root: ROOT, env, localNetworks: settings.localNetworks });
  // The preparation can take minutes, and another process may have taken a port in the meantime.
  const hosts = await checkPorts(settings, { patient: false });
  const runtimeFolder = makeRuntimeFolder(settings.dataFolder);
  undo.push(() => rmSync(runtimeFolder, { recursive: true, force: true }));
  for (const entry of ['signer/main.js', 'worker/main.js', 'api/main.js']) {
    if (!existsSync(join(ROOT, 'dist', entry)))
      throw new Refusal(`dist/${entry} is missing after the build; is the checkout complete?`);
  }
  return startService({ settings, env, parts, runtimeFolder, hosts, processGroup, output });
}
