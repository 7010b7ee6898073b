import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dropDatabase } from './database';
import { endSharedService, type SharedService } from './shared-service';
import { isAlive, JEST_PID_VARIABLE, STANDS_VARIABLE, type Stand } from './stand';

/** Ends the `Stand`s and services that the files of this run share. After a crash they end themselves (`ends-with-jest.cjs`). */
export default async function globalTeardown(): Promise<void> {
  const folder = process.env[STANDS_VARIABLE];
  // A Jest that a test starts inherits these variables, but must not end the stands of this run.
  if (!folder || process.env[JEST_PID_VARIABLE] !== String(process.pid)) return;
  const names = readdirSync(folder).filter((one) => one.endsWith('.json'));
  await Promise.all(names.map((name) => end(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stand | SharedService)));
  rmSync(folder, { recursive: true, force: true });
}

async function end(stand: Stand | SharedService): Promise<void> {
  if ('dataFolder' in stand) return endSharedService(stand);
  // An API process holds no state that the kill could lose.
  if (isAlive(stand.pid)) process.kill(stand.pid, 'SIGKILL');
  await dropDatabase(stand.databaseName);
}
