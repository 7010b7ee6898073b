import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, keepPort } from '../../local/free-port';
import { listeningAt, newTokenKey, spawnApi } from './api-process';
import { makeDatabase } from './database';
import { databaseUrl } from './roles';
import { waitUntil } from './wait-until';

/** `wallets`: with a network whose node the file starts, and with what only requests about wallets need. */
export type StandKind = 'plain' | 'wallets';

/** A database and an API process over it, which the test files that one Jest worker runs one after the other share. */
export type Stand = {
  readonly databaseName: string;
  readonly url: string;
  readonly pid: number;
  readonly tokenKey: string;
  readonly dataKek: string;
  readonly logPath: string;
  /** Where the process looks for the node of EthereumSepolia; the file that uses it listens there. */
  readonly nodePort: number;
};

/** The folder of the stands of this run, which Jest's setup makes and its teardown clears. */
export const STANDS_VARIABLE = 'STRONGROOM_TEST_STANDS';
export const JEST_PID_VARIABLE = 'STRONGROOM_TEST_JEST_PID';
/** Of all stands, so that tests may seal and open what the process does. */
export const STAND_KEK = Buffer.alloc(32, 7);
const START_LIMIT_MS = 120_000;
/** Longer than any run: between two files that listen at the node's port, it is open to others. */
const NODE_PORT_KEPT_MS = 3_600_000;

/** No vendor encrypts anything here: requests for it are recorded, and held by a policy. */
const CONFIDENTIAL_AMOUNTS = { url: 'http://127.0.0.1:9', apiKey: 'nobody' };
export const WALLETS_ENV = {
  NETWORK_SETTINGS: JSON.stringify({ EthereumSepolia: { confidentialAmounts: CONFIDENTIAL_AMOUNTS } }),
  SIGN_WITHOUT_NODES: 'BitcoinSignet,CeloAlfajores,DogecoinTestnet,SolanaDevnet',
} as const;

/**
 * The stand of this Jest worker, started by the first file that asks for it. Every test file has a module registry of its own, so that
 * a stand is remembered in a file of the run.
 */
export async function findStand(kind: StandKind): Promise<Stand> {
  const path = nameInStands(kind);
  if (existsSync(`${path}.json`)) {
    const stand = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Stand;
    if (isAlive(stand.pid)) return stand;
  }
  return startStand(kind, path);
}

/** The path, without an extension, under which a Jest worker's stand of this kind is remembered. */
export function nameInStands(kind: string): string {
  const folder = process.env[STANDS_VARIABLE];
  if (!folder) throw new Error(`${STANDS_VARIABLE} is not set: Jest's global setup did not run`);
  return join(folder, `${process.env['JEST_WORKER_ID'] ?? '1'}-${kind}`);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function startStand(kind: StandKind, path: string): Promise<Stand> {
  const [databaseName, nodePort] = await Promise.all([makeDatabase(), freePort()]);
  const [tokenKey, dataKek] = [newTokenKey(), STAND_KEK.toString('hex')];
  keepPort(nodePort, NODE_PORT_KEPT_MS);
  const isForWallets = kind === 'wallets';
  const jestPid = process.env[JEST_PID_VARIABLE] ?? '';
  const settings = {
    ...{ databaseUrl: databaseUrl('strongroom_app', databaseName), tokenKey, dataKek },
    rpcUrls: isForWallets ? { EthereumSepolia: [`http://127.0.0.1:${nodePort}`] } : {},
    env: { JEST_PID: jestPid, ...(isForWallets ? WALLETS_ENV : {}) },
  };
  const logPath = `${path}.log`;
  const output = openSync(logPath, 'w');
  const child = spawnApi(settings, output, ['--require', require.resolve('./ends-with-jest.cjs')]);
  closeSync(output);
  const url = await waitUntil(
    `the shared API (${kind})`,
    () => {
      const text = readFileSync(logPath, 'utf8');
      if (child.exitCode !== null) throw new Error(`the shared API ended with ${child.exitCode}:\n${text}`);
      return listeningAt(text);
    },
    START_LIMIT_MS,
  );
  // It outlives this file and, until Jest's teardown ends it, this worker.
  child.unref();
  const stand: Stand = { databaseName, url, pid: child.pid ?? 0, tokenKey, dataKek, logPath, nodePort };
  writeFileSync(`${path}.new`, JSON.stringify(stand));
  renameSync(`${path}.new`, `${path}.json`);
  return stand;
}

/** The lines that a file gets after this moment; every look at them, by whatever member, sees all that are there by then. */
export function linesFromNowOn(path: string): readonly string[] {
  const lines: string[] = [];
  let [read, rest] = [sizeOf(path), ''];
  const readOn = () => {
    const file = openSync(path, 'r');
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - read));
    read += readSync(file, bytes, 0, bytes.length, read);
    closeSync(file);
    const parts = (rest + bytes.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  };
  return new Proxy(lines, {
    get: (target, member) => {
      readOn();
      return Reflect.get(target, member);
    },
  });
}

function sizeOf(path: string): number {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  closeSync(file);
  return size;
}
