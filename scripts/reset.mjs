// npm run reset: deletes everything that `npm start` has made in the data folder. The script asks first, unless `--yes` is
// given.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { placeOfCluster, removeMovedCluster } from './postgres.mjs';
import { Refusal } from './prepare/run.mjs';
import { isDataFolder, isMadeByAStart, isMark, runtimeFoldersOf } from './supervisor/data-folder.mjs';
import { takeLock } from './supervisor/lock.mjs';
import { processesIn } from './supervisor/process-state.mjs';
import { lockFile, readSettings } from './supervisor/settings.mjs';
import { helpIfAsked } from './usage.mjs';

helpIfAsked(`Usage: npm run reset [-- --yes]
  Deletes everything that npm start has made in .data (or STRONGROOM_DATA). It asks first, unless --yes is given.`);

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * In a folder without any of `MARKS`, only these files are deleted, because a start that ended before the first mark left no
 * other files.
 */
const OF_AN_EARLY_END = /^(lock\..*|\.writable-.*|\.postgres\.partial-password|postgres\.partial)$/;

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
    const cluster = join(dataFolder, 'postgres');
    const [left] = [cluster, placeOfCluster(cluster)].flatMap((folder) => processesIn(folder, 'postgres'));
    if (left) throw new Refusal(`Postgres (process ${left}) still runs on ${dataFolder}; stop it first.`);
    const ours = isDataFolder(dataFolder) ? isMadeByAStart : (name) => OF_AN_EARLY_END.test(name);
    const found = readdirSync(dataFolder).filter((name) => name !== 'lock' && ours(name));
    if (!sure) await ask(dataFolder);
    for (const name of [...found.filter((one) => !isMark(one)), ...found.filter(isMark)]) {
      rmSync(join(dataFolder, name), { recursive: true, force: true });
    }
    removeMovedCluster(cluster);
    for (const path of runtimeFoldersOf(dataFolder)) rmSync(path, { recursive: true, force: true });
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
  if (!process.stdin.isTTY) throw new Refusal(`This deletes ${dataFolder} for good; without a terminal, confirm with --yes.`);
  const console = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await console.question(`Delete ${dataFolder} with all its wallets and keys for good? Type yes: `);
  console.close();
  if (answer.trim() !== 'yes') throw new Refusal('Nothing was deleted.');
}
