// npm run ceremony -- <name>: plays a ceremony of docs/ceremonies.md, with the service that runs in another shell.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './prepare/run.mjs';
import { isDataFolder } from './supervisor/data-folder.mjs';
import { takeLock } from './supervisor/lock.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run ceremony -- genesis|clone|rehearsal|harvest|operator|provisioner|recover … [--yes]
       npm run ceremony -- sign|cancel [--yes]
  Plays the ceremonies of docs/ceremonies.md, in this order, against the trial that npm start -- --with offline runs in another
  shell. Each machine has a folder of its own, and shares only archives. An interrupted ceremony goes on where it stopped.
  sign carries the requests that wait for a device. cancel cancels the open group. --yes types everything from the paper.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const CEREMONY = join(ROOT, 'dist', 'local', 'fleets', 'ceremony.js');
const dataFolder = resolve(ROOT, process.env.STRONGROOM_DATA || '.data');

try {
  if (!existsSync(CEREMONY) || !isDataFolder(dataFolder))
    throw new Refusal('There is no trial yet: start it with `npm start -- --with offline` in another shell first.');
  const taken = (pid) => `Another ceremony is being played (process ${pid}): the people of a fleet hold one meeting at a time.`;
  const release = await takeLock(join(dataFolder, 'lock.ceremony'), { taken });
  process.exitCode = await play(process.argv.slice(2)).finally(release);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Resolves to the exit code once the player has ended, so that the lock is held as long as a machine may run. */
function play(words) {
  const child = spawn(process.execPath, [CEREMONY, dataFolder, ...words], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((done) => child.once('close', (code) => done(code ?? 1)));
}
