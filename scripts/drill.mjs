// npm run drill: starts a separate service, kills one of its processes at each point of a transfer, and checks the outcome. The
// killed process is the victim. The victim `group` is all processes at once. The victim `disk` is the signer with its folder.
// `--short` limits the drill to the victims `worker` and `group` and to two losses of a signer with a replica. `--victims
// worker,signer` limits the drill to the named victims. `--points <word>` limits the drill to the points whose name contains the
// word. `--faults` runs only the faults in drill/faults/. `--fault <word>` runs only the faults whose name contains the word.
// `npm run chaos` computes kills and faults from a seed, and checks every transfer afterwards.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { runOnService } from './run-on-service.mjs';
import { chosenNetworks } from './supervisor/local-networks.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run drill [-- --short | --victims <name,name> | --points <word> | --faults | --fault <word>]
       npm run chaos [-- --seed <hex> --minutes <number> --transfers <number>]
  Starts a separate service, kills each of its processes, and checks the outcome.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The points of drill/kill-points.ts need these nodes. No point of the short drill needs Solana. */
const drillNetworks = (args) => ({ LOCAL_NETWORKS: args.includes('--short') ? 'bitcoin' : 'bitcoin,solana' });

/** A node of every family, and rate limits that no client reaches. */
const CHAOS = { LOCAL_NETWORKS: 'bitcoin,solana', RATE_LIMITS: '{"scale":1000}' };

let drill;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    killTools();
    drill?.kill('SIGTERM');
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

async function main(words) {
  const isChaos = words[0] === 'chaos';
  const args = isChaos ? words.slice(1) : words;
  const given = isChaos ? { ...CHAOS, ...process.env } : { ...drillNetworks(args), ...process.env };
  const parts = await prepare({ root: ROOT, env: given, localNetworks: chosenNetworks(given) });
  const program = join(ROOT, 'dist', 'drill', isChaos ? 'chaos' : '', 'main.js');
  const started = (child) => {
    drill = child;
  };
  return runOnService({ root: ROOT, given, parts, args: [program, ...args], started });
}
