// node scripts/install.mjs [flags of npm ci]: installs the packages of the lock file when an image is built, and refuses
// packages without an integrity hash.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './prepare/node.mjs';
import { Refusal } from './prepare/run.mjs';

try {
  const { detail } = await installDependencies(
    join(dirname(fileURLToPath(import.meta.url)), '..'),
    process.env,
    process.argv.slice(2),
  );
  process.stdout.write(`dependencies: ${detail}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
