// npm run org:…, keys:…, key-store, authority:…, backup, reconcile: runs an operator's command. If the environment names a database and a
// data key, the command uses these; otherwise it uses the local trial.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './prepare/run.mjs';
import { operatorEnv } from './supervisor/operator-env.mjs';
import { asksForHelp } from './usage.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAIN = join(ROOT, 'dist', 'operator', 'main.js');
/** These commands run on the operator's own machine, which has no service and no trial. */
const ALONE = new Set(['authority:key', 'authority:sign', 'key-store sign']);

try {
  if (!existsSync(MAIN)) throw new Refusal('Nothing is built yet: run `npm run build` first.');
  const args = [MAIN, ...process.argv.slice(2)];
  const [first, second] = process.argv.slice(2);
  const name = first === 'key-store' ? `${first} ${second}` : first;
  // These commands do not need a service if the environment names the state folder.
  const needsNoService = ['authority:verify', 'authority:alone', 'key-store'].includes(first);
  const isSigning = first === 'authority:alone' && process.argv.includes('--sign');
  const isAlone = ALONE.has(name) || isSigning || (needsNoService && process.env.SIGNER_STATE_DIR);
  // The usage can be printed without any service.
  const env = asksForHelp() || isAlone ? process.env : operatorEnv(ROOT, process.env);
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
