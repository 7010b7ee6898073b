import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './supervisor/ports.mjs';
import { portVariables } from './supervisor/settings.mjs';

/**
 * Runs a program that starts a separate service from `parts` in a new folder. If the program fails, the folder stays, with the
 * log of the service. `given` is the environment, and `started` receives the process.
 */
export async function runOnService({ root, given, parts, args, started }) {
  // In an old folder, the policies of an earlier run would judge this run's transfers.
  const parent = process.env.STRONGROOM_DATA || tmpdir();
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(parent, 'strongroom-drill-'));
  const env = { ...given, ...(await ports(process.env)), STRONGROOM_DATA: folder, NODE_ENV: 'development' };
  const found = Object.fromEntries(Object.entries(parts).filter(([, path]) => path !== undefined));
  const code = await run({ root, args, env: { ...env, DRILL_PARTS: JSON.stringify(found) }, started });
  if (code !== 0) process.stdout.write(`The log of the service is ${join(folder, 'drill.log')}\n`);
  else rmSync(folder, { recursive: true, force: true });
  return code;
}

/**
 * Free ports, so that this run does not disturb a running service. `PORT_OFFSET` and the variables of individual ports take
 * precedence.
 */
async function ports(env) {
  if (env.PORT_OFFSET) return {};
  const free = await Promise.all(portVariables.map(async (name) => [name, env[name] || String(await freePort())]));
  return Object.fromEntries(free);
}

function run({ root, args, env, started }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    started(child);
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
