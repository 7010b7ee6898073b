// npm run ceremony -- <name>: plays a ceremony of docs/ceremonies.md, with the service that runs in another shell.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run ceremony -- genesis|clone|rehearsal|harvest|operator|provisioner|recover … [--yes]
  Plays ceremonies of docs/ceremonies.md, in this order, against the service that npm start runs in another shell. Each machine has
  a folder of its own, and shares only archives. --yes types everything from the paper.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const CEREMONY = join(ROOT, 'dist', 'local', 'fleets', 'ceremony.js');
const dataFolder = resolve(ROOT, process.env.STRONGROOM_DATA || '.data');

if (existsSync(CEREMONY)) {
  const { status } = spawnSync(process.execPath, [CEREMONY, dataFolder, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write('Nothing is built yet: start the service with `npm start` in another shell first.\n');
  process.exitCode = 1;
}
