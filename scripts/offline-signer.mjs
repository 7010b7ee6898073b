// npm run offline-signer -- <command>: runs the program of the machines without a network, as one file of dist/.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from './program-files.mjs';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', PROGRAMS['offline-signer']);
if (existsSync(file)) {
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write('Nothing is built yet: run `npm run build` first.\n');
  process.exitCode = 1;
}
