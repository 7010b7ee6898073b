import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, keepPort } from '../../local/free-port';
import { listeningAt, newTokenKey, spawnApi } from './api-process';
import { makeDatabase } from './database';
import { databaseUrl } from './roles';
import { waitUntil } from './wait-until';

/** The kind of a `Stand`. The kind `wallets` also has a network and the settings for wallets; the test file starts the node. */
export type StandKind = 'plain' | 'wallets';

/** A database and an API process over it. The test files of one Jest worker share both, one after the other. */
export type Stand = {
  readonly databaseName: string;
  readonly url: string;
  readonly pid: number;
  readonly tokenKey: string;
  readonly dataKek: string;
  readonly logPath: string;
  /** The port at which the process expects the node of EthereumSepolia. The file that uses the node listens there. */
  readonly nodePort: number;
};

/** Names the folder of the stands of this run. Jest's setup creates the folder, and Jest's teardown deletes it. */
export const STANDS_VARIABLE = 'STRONGROOM_TEST_STANDS';
export const JEST_PID_VARIABLE = 'STRONGROOM_TEST_JEST_PID';
/** The data key of all stands, with which tests seal and open the same values as the process. */
export const STAND_KEK = Buffer.alloc(32, 7);
const START_LIMIT_MS = 120_000;
/** This time is longer than any run. Otherwise another process could take the node's port between two files that listen at it. */
const NODE_PORT_KEPT_MS = 3_600_000;

/** No vendor encrypts amounts here: the API only records the requests, and a policy holds them. */
const CONFIDENTIAL_AMOUNTS = { url: 'http://127.0.0.1:9', apiKey: 'nobody' };
export const WALLETS_ENV = {
  NETWORK_SETTINGS: JSON.stringify({
    EthereumSepolia: { confidentialAmounts: CONFIDENTIAL_AMOUNTS },
    RaceSepolia: { scan: false },
  }),
  SIGN_WITHOUT_NODES: 'BitcoinSignet,CeloAlfajores,DogecoinTestnet,SolanaDevnet',
} as const;

/**
 * The stand of this Jest worker. The first file that asks for the stand starts it. Every test file has its own module registry,
 * so a file in the stands folder remembers the stand.
 */
export async function findStand(kind: StandKind): Promise<Stand> {
  const path = nameInStands(kind);
  if (existsSync(`${path}.json`)) {
    const stand = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Stand;
    if (isAlive(stand.pid)) return stand;
  }
  return startStand(kind, path);
}

/** The path, without an extension, of the file that remembers the Jest worker's stand of this kind. */
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
  // The process outlives this file, and this worker too, until Jest's teardown ends the process.
  child.unref();
  const stand: Stand = { databaseName, url, pid: child.pid ?? 0, tokenKey, dataKek, logPath, nodePort };
  writeFileSync(`${path}.new`, JSON.stringify(stand));
  renameSync(`${path}.new`, `${path}.json`);
  return stand;
}

/** The lines that a file gets from now on. Each access to the list first reads the new lines. */
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
