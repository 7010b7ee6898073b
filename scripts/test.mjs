// npm test: prepares the missing programs, runs Jest with a Postgres that the script deletes afterwards, and ends with Jest's
// exit code. `--nightly` also selects the nightly tests. All other arguments go to Jest, as in `npm test -- test/policy`.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killTools, Refusal } from './prepare/run.mjs';
import { prepare } from './prepare.mjs';
import { testPostgres, testVariables } from './test-environment.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm test [-- --nightly <path> … <options of Jest>]
  Prepares what is missing and runs Jest on the named files, or on all, with a throw-away Postgres. --nightly also runs the files
  *.nightly.test.ts, which take minutes.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const NIGHTLY = '--nightly';
let postgres;
let jest;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    killTools();
    jest?.kill('SIGTERM');
    await postgres?.stop();
    process.exit(130);
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
} finally {
  await postgres?.stop();
}

async function main(args) {
  const env = process.env;
  const parts = await prepare({ root: ROOT, env, forTests: true });
  postgres = testPostgres({ bin: parts.postgresBin, env });
  const nightly = args.includes(NIGHTLY) ? { STRONGROOM_NIGHTLY: 'true' } : {};
  const testEnv = { ...env, ...nightly, ...testVariables(parts, await postgres.start()) };
  jest = spawn(
    process.execPath,
    [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), ...args.filter((word) => word !== NIGHTLY)],
    {
      cwd: ROOT,
      env: testEnv,
      stdio: 'inherit',
    },
  );
  return new Promise((resolve) => jest.once('exit', (status) => resolve(status ?? 1)));
}
