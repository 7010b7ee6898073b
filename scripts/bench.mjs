// npm run bench [-- name … --size 0.1]: prepares the missing programs and runs the named measurements, or all of them.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killTools, Refusal } from './prepare/run.mjs';
import { step } from './prepare/step.mjs';
import { findTemporalOnPostgres } from './prepare/temporal-postgres.mjs';
import { prepare } from './prepare.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run bench [-- <name> … --size <number above 0, up to 10> --write]
  Runs the named benches, or all. A run below size 1 writes its figures to bench/RESULTS.md only if --write is given.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Other programs may use an external Postgres or Temporal, and their load would change the figures. */
const NOT_OURS = /^(DATABASE_URL|WORKER_DATABASE_URL|RELAY_DATABASE_URL|OWNER_DATABASE_URL|TEMPORAL_ADDRESS|TEMPORAL_NAMESPACE)$/;

let measuring;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    killTools();
    if (measuring) measuring.kill('SIGTERM');
    else process.exit(130);
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

async function main(args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name)));
  const parts = await prepare({ root: ROOT, env });
  const where = { root: ROOT, cacheFolder: env.STRONGROOM_CACHE || join(ROOT, '.cache'), env };
  const temporalOnPostgres = await step('Temporal on Postgres', () => findTemporalOnPostgres(where));
  const given = JSON.stringify({ ...parts, temporalServer: temporalOnPostgres.server, temporalSqlTool: temporalOnPostgres.sql });
  const program = [join(ROOT, 'dist', 'bench', 'main.js')];
  measuring = spawn(process.execPath, [...program, ...args], {
    cwd: ROOT,
    env: { ...env, BENCH_PARTS: given },
    stdio: 'inherit',
  });
  return new Promise((resolve) => measuring.once('exit', (status) => resolve(status ?? 1)));
}
