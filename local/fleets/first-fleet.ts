import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { offlineStoreOf } from './service';
import { play, type Stage } from './stage';
import { CeremonyError, runCeremonies, runningTrial, type Trial } from './trial';
import { keepSheet, stepsOfSections, trialStage } from './trial-stage';

const WAIT_MS = 30_000;
const POLL_MS = 100;
const OPERATOR = join(__dirname, '..', '..', 'operator', 'main.js');
const NAME = 'Offline vault';

const operate = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [OPERATOR, 'key-store', ...words])).stdout;

/** Adds the store as an operator does. The journal is asked first, because the worker may not have shown the store yet. */
async function firstStore(dataFolder: string, { courier, orgId }: Trial): Promise<string> {
  const known = await offlineStoreOf(courier);
  if (known !== undefined) return known;
  if (!(await operate('list', '--org', orgId)).includes('OfflineSigner'))
    await operate('add', '--org', orgId, '--name', NAME, '--key', join(dataFolder, 'secrets', 'operator-key.pem'));
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const added = await offlineStoreOf(courier);
    if (added !== undefined) return added;
    if (performance.now() > deadline) throw new CeremonyError('The worker does not show the new key store.');
    await delay(POLL_MS);
  }
}

/** Gives the trial an offline key store, and each machine of its people a folder with an identity. */
runCeremonies(async () => {
  const [, , dataFolder = '.data'] = process.argv;
  const trial = await runningTrial(dataFolder);
  const storeId = await firstStore(dataFolder, trial);
  const screen: Pick<Stage, 'say' | 'type' | 'triesAgain'> = {
    ...{ say: () => undefined, type: (_question, onPaper) => onPaper, triesAgain: () => false },
  };
  const stage = trialStage(dataFolder, storeId, trial, screen);
  await play(stage, { steps: stepsOfSections(['Identities']), from: { done: 0, groupId: '', folder: '' } });
  keepSheet(stage);
  process.stdout.write(`Offline key store ${storeId}, machines and sheet in ${stage.root}\n`);
});
