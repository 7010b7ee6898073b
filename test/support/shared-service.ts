import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStrongroomDatabase } from '../../entities/data-source';
import { createTrialOrganization } from '../../local/trial-organization';
import { createTokenKeys } from '../../platform/token-keys';
import {
  callsOf,
  environmentOf,
  type FirstRun,
  firstRunOf,
  type Installation,
  newInstallation,
  READY_LIMIT_MS,
  START,
  type StoppableService,
} from './service';
import { isAlive, JEST_PID_VARIABLE, linesFromNowOn, nameInStands } from './stand';
import { waitUntil } from './wait-until';

const POOL_MAX = 2;
const STOP_LIMIT_MS = 60_000;
/** The sequencer sets this variable, and runs the joining files before all others. */
const JOINERS_VARIABLE = 'STRONGROOM_TEST_JOINERS';
const JOINED = 'joined-';
const SERVICE = 'service';

/** The record of a shared installation, for the files of the Jest worker and for Jest's teardown. */
export type SharedService = Installation & { readonly pid: number; readonly logPath: string };

/**
 * Joins the installation that the files of this Jest worker share one after the other, and creates an organisation for this
 * file. A file may stop the mining or the whole installation, but must start it again. A file that sets options, reverts
 * blocks, or reads metrics or secrets needs its own installation.
 */
export async function joinService(): Promise<StoppableService> {
  writeFileSync(nameInStands(`${JOINED}${randomUUID()}`), '');
  let shared = await findService();
  const log = linesFromNowOn(shared.logPath);
  const firstRun: FirstRun = { ...firstRunOf(shared), ...(await organizationIn(shared)) };
  return {
    ...callsOf(shared, () => firstRun),
    log: () => log.join('\n'),
    stop: (signal = 'SIGINT') => {
      forget();
      return stopService(shared, signal);
    },
    start: async () => {
      shared = await startService(shared);
    },
    close: () => endIfLast(shared),
  };
}

/** Ends the installation once every joining file of the run has joined, because no later file of this worker uses it. */
async function endIfLast(shared: SharedService): Promise<void> {
  const joined = readdirSync(dirname(nameInStands(SERVICE))).filter((name) => name.includes(JOINED)).length;
  if (joined < Number(process.env[JOINERS_VARIABLE] ?? Number.POSITIVE_INFINITY)) return;
  forget();
  await endSharedService(shared);
}

/** Removes the record. After a failure between stop and start, the next file then makes a new installation. */
const forget = () => rmSync(`${nameInStands(SERVICE)}.json`, { force: true });

/** Ends the installation and deletes its data. The service ends its own processes, and removes its lock last. */
export async function endSharedService({ pid, dataFolder }: SharedService): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  await waitUntil('the shared service to end', () => !existsSync(join(dataFolder, 'lock')), STOP_LIMIT_MS);
  rmSync(dataFolder, { recursive: true, force: true });
}

/** Stops the service and waits for the end of its process. The next start takes over the lock of a killed process. */
async function stopService({ pid }: SharedService, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal);
  await waitUntil('the shared service to stop', () => !isAlive(pid), STOP_LIMIT_MS);
}

async function findService(): Promise<SharedService> {
  const path = nameInStands(SERVICE);
  if (existsSync(`${path}.json`)) {
    const known = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as SharedService;
    if (isAlive(known.pid)) return known;
  }
  rmSync(`${path}.log`, { force: true });
  return startService(await newInstallation({ JEST_PID: process.env[JEST_PID_VARIABLE] ?? '' }));
}

async function startService({ dataFolder, more }: Installation): Promise<SharedService> {
  const path = nameInStands(SERVICE);
  const logPath = `${path}.log`;
  const output = openSync(logPath, 'a');
  const written = linesFromNowOn(logPath);
  const child = spawn(process.execPath, ['--require', require.resolve('./ends-with-jest.cjs'), START], {
    env: environmentOf({ dataFolder, more }),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  await waitUntil(
    'the shared service to be ready',
    () => {
      if (child.exitCode !== null) throw new Error(`The shared service ended:\n${written.join('\n')}`);
      return written.some((line) => line.includes('Strongroom is ready'));
    },
    READY_LIMIT_MS,
  );
  // The service outlives this file, and this worker too, until Jest's teardown ends the service.
  child.unref();
  const shared = { dataFolder, more, logPath, pid: child.pid ?? 0 };
  writeFileSync(`${path}.new`, JSON.stringify(shared));
  renameSync(`${path}.new`, `${path}.json`);
  return shared;
}

/** Creates an organisation as the first start of the local trial does, with the same role. */
async function organizationIn({ dataFolder, more }: Installation) {
  const secret = (name: string) => readFileSync(join(dataFolder, 'secrets', name), 'utf8');
  const { app } = JSON.parse(secret('database.json')) as { readonly app: string };
  const url = `postgres://strongroom_app:${app}@127.0.0.1:${more['POSTGRES_PORT']}/strongroom`;
  const db = await openStrongroomDatabase({ url, poolMax: POOL_MAX, applicationName: 'test' });
  try {
    return await createTrialOrganization(db, createTokenKeys(secret('token-key.pem')));
  } finally {
    await db.close();
  }
}
