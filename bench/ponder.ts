import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../local/free-port';
import { inherited, ROOT } from './config';
import { cpuMsOf, memoryBytesOf } from './cpu';
import { type LogChain, RECIPIENTS, recipientOf } from './log-chain';
import { PONDER_FILES } from './ponder-files';
import type { BenchPostgres } from './postgres';

const VERSION = '0.16.10';
const CHAIN_ID = 11_155_111;
const LOCK = join(ROOT, 'bench', 'ponder-lock.json');
const LOOK_EVERY_MS = 500;

/** Installs the peer into the cache according to its lock file, and returns the folder. */
export async function installPonder(): Promise<string> {
  const folder = join(ROOT, '.cache', `ponder-${VERSION}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  for (const [name, text] of Object.entries(PONDER_FILES)) {
    mkdirSync(dirname(join(partial, name)), { recursive: true });
    writeFileSync(join(partial, name), text);
  }
  const dependencies = { hono: '4.10.4', ponder: VERSION, viem: '2.21.54' };
  writeFileSync(
    join(partial, 'package.json'),
    JSON.stringify({ name: 'ponder-peer', private: true, type: 'module', dependencies }),
  );
  cpSync(LOCK, join(partial, 'package-lock.json'));
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: partial });
  renameSync(partial, folder);
  return folder;
}

type Options = {
  readonly chain: LogChain;
  readonly postgres: BenchPostgres;
  readonly everyRecipient: number;
  readonly expected: number;
};

/** Indexes the whole chain into an empty schema. The measurement ends when the last transfer is in the table. */
export async function runPonder(folder: string, { chain, postgres, everyRecipient, expected }: Options) {
  await postgres.query('DROP SCHEMA IF EXISTS peer CASCADE');
  await postgres.query('DROP SCHEMA IF EXISTS ponder_sync CASCADE');
  const numbers = Array.from({ length: RECIPIENTS / everyRecipient }, (_, at) => at * everyRecipient);
  const settings = {
    ...{ databaseUrl: postgres.superuserUrl, rpcUrl: chain.url, chainId: CHAIN_ID, token: chain.token },
    recipients: everyRecipient === 1 ? [] : numbers.map(recipientOf),
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  const port = await freePort();
  const postgresBeforeMs = cpuMsOf(postgres.pid);
  const started = performance.now();
  const args = ['start', '--schema', 'peer', '--port', `${port}`, '--log-level', 'warn'];
  const child = spawn(process.execPath, [join(folder, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js'), ...args], {
    cwd: folder,
    env: { ...inherited(), PONDER_TELEMETRY_DISABLED: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  let maxBytes = 0;
  const count = () =>
    postgres.query<{ found: number }>('SELECT count(*)::float8 AS found FROM peer.movement').then(
      ([counted]) => counted?.found ?? 0,
      () => 0, // the table does not exist yet
    );
  try {
    while ((await count()) < expected) {
      if (child.exitCode !== null) throw new Error(`the peer ended with ${child.exitCode}`);
      maxBytes = Math.max(maxBytes, memoryBytesOf(child.pid ?? 0));
      await delay(LOOK_EVERY_MS);
    }
    const [seconds, cpuMs] = [(performance.now() - started) / 1_000, cpuMsOf(child.pid ?? 0)];
    return { seconds, cpuMs, maxBytes, postgresMs: cpuMsOf(postgres.pid) - postgresBeforeMs, found: expected };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
