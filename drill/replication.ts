import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSignerClient } from '../signer/client';
import { differs } from './differs';
import type { Stage } from './rig';
import type { Blow } from './round';

const PROGRAM = join(__dirname, '..', 'signer', 'replica', 'main.js');
const ANSWER_MS = 5_000;

/** A signer with a replica, set up by the commands of docs/operations.md. */
export type Replication = {
  /** The signer is killed and its folder is deleted. Then the replica is promoted, and a new replica is prepared. */
  readonly lostDisk: Blow;
  /** The replica is promoted while the earlier signer still runs. */
  readonly takeover: Blow;
  /** Removes the files that signer and replica need outside their folders. */
  readonly end: () => void;
};

type Place = ReturnType<typeof placeOutside>;

/**
 * A socket needs another folder: the path of the drill's folder may be too long, and each start of all processes changes the
 * runtime folder.
 */
function placeOutside() {
  const path = mkdtempSync(join(tmpdir(), 'replica-'));
  const key = join(path, 'auth');
  writeFileSync(key, randomBytes(32).toString('hex'), { mode: 0o400 });
  let count = 0;
  return {
    key,
    /** A path that no earlier process has used, so that no client reaches an earlier process at this path. */
    newSocket(): string {
      count += 1;
      return join(path, String(count), 'socket');
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Prepares an empty folder and starts a replica on the folder. Returns the variables of a signer that uses this replica. */
async function startNewReplica(stage: Stage, { key, newSocket }: Place) {
  const SIGNER_SOCKET = newSocket();
  const folder = join(stage.place().dataFolder, `replica-${randomBytes(4).toString('hex')}`);
  const env = { SIGNER_SOCKET, SIGNER_STATE_DIR: folder, SIGNER_REPLICA_AUTH_FILE: key };
  await promisify(execFile)(process.execPath, [PROGRAM, '--new'], { env });
  await stage.restart('replica', env);
  return { SIGNER_REPLICA: `unix:${SIGNER_SOCKET}`, SIGNER_REPLICA_AUTH_FILE: key };
}

/** Gives the running signer its first replica, and a socket whose path stays the same at every start of all processes. */
export async function openReplication(stage: Stage): Promise<Replication> {
  const outside = placeOutside();
  let [socket, earlier] = [outside.newSocket(), ''];
  const toReplica = await startNewReplica(stage, outside);
  await stage.kill('signer');
  await stage.restart('signer', { ...toReplica, SIGNER_SOCKET: socket });
  await stage.kill('worker');
  await stage.restart('worker', { SIGNER_SOCKET: socket });
  /** Stops the replica if the replica still runs. Returns the variables of a signer on the replica's folder. */
  const promote = async () => {
    const promoted = stage.folderOf('replica');
    await stage.kill('replica').catch(() => undefined);
    return { ...(await startNewReplica(stage, outside)), SIGNER_STATE_DIR: promoted };
  };
  return {
    lostDisk: {
      victim: 'disk',
      async strike() {
        await stage.kill('signer');
        rmSync(stage.folderOf('signer'), { recursive: true });
      },
      mend: async () => stage.restart('signer', await promote()),
    },
    takeover: {
      victim: 'takeover',
      strike: () => stage.kill('replica'),
      async mend() {
        [earlier, socket] = [socket, outside.newSocket()];
        const env = { ...(await promote()), SIGNER_SOCKET: socket };
        await stage.restart('signer-2', env);
        await stage.kill('worker');
        await stage.restart('worker', { SIGNER_SOCKET: socket });
        // From here on, the folder of the signer is the folder of the promoted replica.
        stage.extraEnv('signer', env);
      },
      async end() {
        const faults = await earlierFaults(stage, earlier);
        for (const name of ['signer', 'signer-2'] as const) await stage.kill(name);
        await stage.restart('signer');
        return faults;
      },
    },
    end: outside.remove,
  };
}

/** The earlier signer must still run, and must report that its replica is away. */
async function earlierFaults(stage: Stage, socketPath: string): Promise<readonly string[]> {
  const authKey = Buffer.from(readFileSync(join(stage.place().dataFolder, 'secrets', 'signer-auth'), 'utf8').trim(), 'hex');
  const client = createSignerClient({ socketPath, authKey, timeoutMs: ANSWER_MS });
  try {
    return differs('the replica of the earlier signer', (await client.replica()).replica, 'Away');
  } finally {
    await client.close();
  }
}
