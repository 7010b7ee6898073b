// npm run drill: starts a separate service, kills one of its processes at each point of a transfer, and checks the outcome. The
// killed process is the victim. The victim `group` stands for all processes at once. `--short` limits the drill to the victims
// `worker` and `group`, and `--victims worker,signer` to the named victims. `--points <word>` limits the drill to the points
// whose name contains the word. `--faults` runs only the faults of drill/faults/, and `--fault <word>` only the faults whose name
// contains the word. npm run chaos computes kills and faults from a seed, and checks every transfer afterwards.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { chosenNetworks } from './supervisor/local-networks.mjs';
import { freePort } from './supervisor/ports.mjs';
import { portVariables } from './supervisor/settings.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run drill [-- --short | --victims <name,name> | --points <word> | --faults | --fault <word>]
       npm run chaos [-- --seed <hex> --minutes <number> --transfers <number>]
  Starts a separate service, kills each of its processes, and checks the outcome.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The story `left` of drill/kill-points.ts needs a Bitcoin node. */
const DRILL = { LOCAL_NETWORKS: 'bitcoin' };

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
  const given = isChaos ? { ...CHAOS, ...process.env } : { ...DRILL, ...process.env };
  const parts = await prepare({ root: ROOT, env: given, localNetworks: chosenNetworks(given) });
  // In an old folder, the policies of an earlier drill would judge this run's transfers.
  const parent = process.env.STRONGROOM_DATA || tmpdir();
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(parent, 'strongroom-drill-'));
  const env = { ...given, ...(await ports(process.env)), STRONGROOM_DATA: folder, NODE_ENV: 'development' };
  const found = Object.fromEntries(Object.entries(parts).filter(([, path]) => path !== undefined));
  const program = join(ROOT, 'dist', 'drill', isChaos ? 'chaos' : '', 'main.js');
  const code = await run([program, ...args], { ...env, DRILL_PARTS: JSON.stringify(found) });
  if (code !== 0) process.stdout.write(`The log of the service is ${join(folder, 'drill.log')}\n`);
  else rmSync(folder, { recursive: true, force: true });
  return code;
}

/** Free ports, so that this run does not disturb a running service. `PORT_OFFSET` and the variables of ports take precedence. */
async function ports(env) {
  if (env.PORT_OFFSET) return {};
  const free = await Promise.all(portVariables.map(async (name) => [name, env[name] || String(await freePort())]));
  return Object.fromEntries(free);
}

function run(args, env) {
  return new Promise((resolve) => {
    drill = spawn(process.execPath, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    drill.once('error', () => resolve(1));
    drill.once('close', (code) => resolve(code ?? 1));
  });
}
