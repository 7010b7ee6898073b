// npm run red-team: starts a signer with an organisation under a charter, and attacks the signer while honest orders also arrive.
// `--fleet` attacks an offline device and the signer that vouches for its orders. `--service` starts the whole service with such an organisation, and attacks the service with all rights of the API, the worker
// and the database. `--controls` removes the signer's checks one at a time in a copy of the code, and shows which removals a
// short run notices.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { tryFleetControls } from './fleet-controls.mjs';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { tryControls } from './red-team-controls.mjs';
import { runOnService } from './run-on-service.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run red-team [-- --minutes <number> --seed <hex> --only <attempt>]
       npm run red-team -- --service [--minutes <number> --seed <hex>]
       npm run red-team -- --fleet [--minutes <number> --seed <hex>]
       npm run red-team -- --controls [--named <part of a path> --from <number> --to <number> --attempts <number>]
       npm run red-team -- --fleet-controls [--named <part of a path> --from <number> --to <number>]
  Attacks a signer under a charter with random changes of genuine orders, and prints what was refused. With --service it attacks the
  whole service while people make requests.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

let attacking;
const started = (child) => {
  attacking = child;
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    killTools();
    attacking?.kill('SIGTERM');
    process.exitCode = 130;
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

async function main(args) {
  const isByTests = args.includes('--fleet-controls');
  const parts = await prepare({ root: ROOT, env: process.env, localNetworks: [], forTests: isByTests });
  if (args.includes('--service')) {
    const service = join(ROOT, 'dist', 'red-team', 'service', 'main.js');
    return runOnService({
      ...{ root: ROOT, parts, args: [service, ...args.filter((one) => one !== '--service')] },
      // Rate limits would stop the people as well as the attacker.
      given: { RATE_LIMITS: '{"scale":1000}', ...process.env, LOCAL_NETWORKS: '' },
      started,
    });
  }
  const program = join(ROOT, 'dist', 'red-team', 'main.js');
  if (isByTests) return tryFleetControls({ root: ROOT, parts, args: args.filter((one) => one !== '--fleet-controls'), started });
  if (args.includes('--controls'))
    return tryControls({ root: ROOT, program, build, args: args.filter((one) => one !== '--controls') });
  const attacked = args.includes('--fleet') ? join(ROOT, 'dist', 'red-team', 'fleets', 'main.js') : program;
  const words = args.filter((one) => one !== '--fleet');
  attacking = spawn(process.execPath, [attacked, ...words], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve) => attacking.once('exit', (status) => resolve(status ?? 1)));
}
