import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { journalOf, journalPaths } from '../signer-journal';
import { type Fault, type Finding, none } from './fault';
import type { Scene } from './fixture';
import { until } from './polling';
import { provenOnce } from './proof';

/** A line of the signer's file is longer than this, so the file reaches its limit in the middle of a line. */
const ROOM_BYTES = 100;
/** Postgres can then write only the first page of a file of a table or of the write-ahead log. */
const POSTGRES_ROOM_BYTES = 8_192;

/** Limits the size of the files that the process writes. To the process the limit looks like a full disk. */
const limitFiles = (pid: number, bytes: number): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:${bytes}`], { stdio: 'pipe' });
};

/** Ignores a process that has ended: a process of Postgres ends when its client disconnects. */
const limitFilesOfLiving = (pid: number, bytes: number): void => {
  try {
    limitFiles(pid, bytes);
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error;
  }
};

const fillSignerDisk = async ({ stage }: Scene): Promise<void> => {
  const sizes = journalPaths(stage).map((path) => statSync(path).size);
  limitFiles(await stage.pidOf('signer'), (sizes.at(-1) ?? 0) + ROOM_BYTES);
};

/** A process that cannot write must end. The supervisor then restarts the process without the limit. */
const ended = ({ stage }: Scene, role: string, before: number): Finding => {
  const deaths = stage.deaths().slice(before);
  return none(`${role} ends instead of continuing`, deaths.some((death) => death.startsWith(role)) ? [] : ['it continued']);
};

const signatures: Fault = {
  name: 'disk full: signatures',
  done: 'the signer’s journal cannot grow and a write stops within a line; there is space again once the signer has restarted',
  run: async (scene) => {
    const before = scene.stage.deaths().length;
    const orders = await scene.orders(2);
    await fillSignerDisk(scene);
    await Promise.all(orders.map((order) => scene.ask(order)));
    const proofs = await provenOnce(scene, orders);
    return [ended(scene, 'signer', before), ...proofs];
  },
};

const keys: Fault = {
  name: 'disk full: keys',
  done: 'the signer’s journal cannot grow while a wallet is created; there is space again once the signer has restarted',
  run: async (scene) => {
    const { stage } = scene;
    const before = stage.deaths().length;
    await fillSignerDisk(scene);
    const orders = await until('a wallet is made', async () => scene.orders(1));
    const journal = journalOf(stage);
    const shown = await stage.sql<{ id: string; publicKey: string }>(
      `SELECT k.id, k.public_key AS "publicKey" FROM keys k JOIN wallets w ON w.key_id = k.id WHERE w.status = 'Active'`,
    );
    const lost = shown.filter(({ publicKey }) => !journal.includes(publicKey)).map(({ id }) => `${id} is not in the journal`);
    await Promise.all(orders.map((order) => scene.waitForOperator(order)));
    return [
      ended(scene, 'signer', before),
      none('every key of an active wallet is in the journal', lost),
      ...(await provenOnce(scene, orders)),
    ];
  },
};

const database: Fault = {
  name: 'disk full: Postgres',
  done: 'neither tables nor write-ahead log can grow; there is space again once Postgres has restarted',
  run: async (scene) => {
    const { stage } = scene;
    const before = stage.deaths().length;
    const orders = await scene.orders(6);
    const begun = orders.map((order) => scene.ask(order));
    await until('the first order is stored', async () => ((await scene.rows(orders)).length > 0 ? true : undefined));
    const server = await stage.pidOf('postgres');
    const family = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number);
    for (const pid of [...family, server]) limitFilesOfLiving(pid, POSTGRES_ROOM_BYTES);
    const answers = await Promise.all(begun);
    await until('Postgres is back', async () => ((await scene.rows(orders)) ? true : undefined));
    const stored = new Set((await scene.rows(orders)).map(({ externalId }) => externalId));
    const lies = orders.filter(({ externalId }, index) => answers[index]?.status === 200 && !stored.has(externalId));
    const heard = answers
      .filter(({ status }) => status !== 200 && status !== 503)
      .map(({ status, code }) => `a caller got ${status} ${code}`);
    await Promise.all(orders.map((order) => scene.waitForOperator(order)));
    return [
      ended(scene, 'postgres', before),
      none(
        'an order that was answered with 200 is stored',
        lies.map(({ externalId }) => externalId),
      ),
      none('the other callers got 503', heard),
      ...(await provenOnce(scene, orders)),
    ];
  },
};

export const diskFaults: readonly Fault[] = [signatures, keys, database];
