// npm run demo: makes one transfer with approval, through the service that runs in another shell.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run demo
  Makes one transfer with an approval against the service that npm start runs in another shell.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const DEMO = join(ROOT, 'dist', 'local', 'demo.js');
const firstRun = join(resolve(ROOT, process.env.STRONGROOM_DATA || '.data'), 'first-run.json');

if (existsSync(DEMO)) {
  process.exitCode = spawnSync(process.execPath, [DEMO, firstRun], { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write('Nothing is built yet: start the service with `npm start` in another shell first.\n');
  process.exitCode = 1;
}
