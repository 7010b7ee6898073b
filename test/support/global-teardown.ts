import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dropDatabase } from './database';
import { JEST_PID_VARIABLE, STANDS_VARIABLE, type Stand } from './stand';

/** Ends the stands that files of this run shared; what a crash leaves ends itself (`ends-with-jest.cjs`). */
export default async function globalTeardown(): Promise<void> {
  const folder = process.env[STANDS_VARIABLE];
  // A test may run Jest itself, which inherits these variables; the stands are not that run's to end.
  if (!folder || process.env[JEST_PID_VARIABLE] !== String(process.pid)) return;
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const { pid, databaseName } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stand;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await dropDatabase(databaseName);
  }
  rmSync(folder, { recursive: true, force: true });
}
