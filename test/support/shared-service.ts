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
  type JoinedService,
  newInstallation,
  READY_LIMIT_MS,
  START,
} from './service';
import { isAlive, JEST_PID_VARIABLE, linesFromNowOn, nameInStands } from './stand';
import { waitUntil } from './wait-until';

const POOL_MAX = 2;
const STOP_LIMIT_MS = 60_000;
/** Set by the sequencer, which runs the files that join before all others. */
const JOINERS_VARIABLE = 'STRONGROOM_TEST_JOINERS';
const JOINED = 'joined-';

/** What is remembered of an installation that files of a Jest worker share, for them and for Jest's teardown. */
export type SharedService = Installation & { readonly pid: number; readonly logPath: string };

/**
 * The installation that the files of this Jest worker share, and an organisation of this file's own in it. A file may stop its chain's
 * mining and has to start it again; one that stops processes, sets options, takes blocks back, or reads metrics or secrets makes an
 * installation of its own.
 */
export async function joinService(): Promise<JoinedService> {
  writeFileSync(nameInStands(`${JOINED}${randomUUID()}`), '');
  const shared = await findService();
  const log = linesFromNowOn(shared.logPath);
  const firstRun: FirstRun = { ...firstRunOf(shared), ...(await organizationIn(shared)) };
  return { ...callsOf(shared, () => firstRun), log: () => log.join('\n'), close: () => endIfLast(shared) };
}

/** Once every file that joins has come, the next file of this worker is none of them. */
async function endIfLast(shared: SharedService): Promise<void> {
  const path = nameInStands('service');
  const joined = readdirSync(dirname(path)).filter((name) => name.includes(JOINED)).length;
  if (joined < Number(process.env[JOINERS_VARIABLE] ?? Number.POSITIVE_INFINITY)) return;
  rmSync(`${path}.json`);
  await endSharedService(shared);
}

/** The service ends its own processes and takes its lock away last. */
export async function endSharedService({ pid, dataFolder }: SharedService): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  await waitUntil('the shared service to end', () => !existsSync(join(dataFolder, 'lock')), STOP_LIMIT_MS);
  rmSync(dataFolder, { recursive: true, force: true });
}

async function findService(): Promise<SharedService> {
  const path = nameInStands('service');
  if (existsSync(`${path}.json`)) {
    const known = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as SharedService;
    if (isAlive(known.pid)) return known;
  }
  return startService(path);
}

async function startService(path: string): Promise<SharedService> {
  const installation = await newInstallation({ JEST_PID: process.env[JEST_PID_VARIABLE] ?? '' });
  const logPath = `${path}.log`;
  rmSync(logPath, { force: true });
  const output = openSync(logPath, 'w');
  const child = spawn(process.execPath, ['--require', require.resolve('./ends-with-jest.cjs'), START], {
    env: environmentOf(installation),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  await waitUntil(
    'the shared service to be ready',
    () => {
      const text = readFileSync(logPath, 'utf8');
      if (child.exitCode !== null) throw new Error(`The shared service ended:\n${text}`);
      return text.includes('Strongroom is ready');
    },
    READY_LIMIT_MS,
  );
  // It outlives this file and, until Jest's teardown ends it, this worker.
  child.unref();
  const shared = { ...installation, logPath, pid: child.pid ?? 0 };
  writeFileSync(`${path}.new`, JSON.stringify(shared));
  renameSync(`${path}.new`, `${path}.json`);
  return shared;
}

/** Made as the local trial makes its own at the first start, with the same role. */
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
