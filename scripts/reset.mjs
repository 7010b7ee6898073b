// npm run reset: deletes the data folder of the local trial, after asking; `--yes` answers for scripts.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { placeOfCluster } from './postgres.mjs';
import { Refusal } from './prepare/run.mjs';
import { takeLock } from './supervisor/lock.mjs';
import { lockFile, readSettings } from './supervisor/settings.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Only what a start makes: a STRONGROOM_DATA that points at the wrong folder must not cost somebody else's files. */
const OURS =
  /^(postgres|postgres\.partial|\.postgres\.partial-password|temporal|chain|networks|signer|secrets|first-run\.json|lock.*|\.writable-.*)$/;

try {
  await reset(process.argv.includes('--yes'));
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

async function reset(sure) {
  const { dataFolder } = readSettings(ROOT, process.env);
  if (!existsSync(dataFolder)) return process.stdout.write(`There is no data folder ${dataFolder}.\n`);
  const release = await takeLock(lockFile(dataFolder), {
    taken: (pid) => `Strongroom runs on ${dataFolder} (process ${pid}); stop it first.`,
  });
  try {
    if (!sure) await ask(dataFolder);
    for (const name of readdirSync(dataFolder).filter((entry) => OURS.test(entry) && entry !== 'lock')) {
      rmSync(join(dataFolder, name), { recursive: true, force: true });
    }
    rmSync(placeOfCluster(join(dataFolder, 'postgres')), { recursive: true, force: true });
  } finally {
    release();
  }
  const left = readdirSync(dataFolder);
  if (left.length === 0) rmdirSync(dataFolder);
  process.stdout.write(
    left.length === 0 ? `Deleted ${dataFolder}.\n` : `Emptied ${dataFolder}; kept what is not ours: ${left.join(', ')}.\n`,
  );
}

async function ask(dataFolder) {
  if (!process.stdin.isTTY) throw new Refusal(`This deletes ${dataFolder} for good; say --yes where nobody can be asked.`);
  const console = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await console.question(`Delete ${dataFolder} with all its wallets and keys for good? Type yes: `);
  console.close();
  if (answer.trim() !== 'yes') throw new Refusal('Nothing was deleted.');
}
