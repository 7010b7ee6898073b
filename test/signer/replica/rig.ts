import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSignerClient } from '../../../signer/client';
import type { CreatedKey, SignerClient, SignTransferOrder } from '../../../signer/protocol';
import { aloneBytes, draftStatement } from '../../../signer/record/replication/alone';
import { orderFor } from '../fixtures';
import { installSigner, type Run, runLimited, whenReady } from '../process';

/** An order with current times, because the signer process uses the real clock. */
export function freshOrder(
  created: CreatedKey,
  requestId: string,
  wanted: Parameters<typeof orderFor>[2] = {},
): SignTransferOrder {
  const now = Date.now();
  const times = { issuedAt: new Date(now).toISOString(), notAfter: new Date(now + 60_000).toISOString() };
  return { ...orderFor(created, requestId, wanted), ...times };
}

const publicHexOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

/** The bytes of all segments of a folder. */
export const journalIn = (dir: string): string =>
  readdirSync(dir)
    .filter((name) => /^journal-\d+\.jsonl$/.test(name))
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('');

/** A signer and replicas, each as its own process, and an operator's key. */
export function installReplicated(main: string) {
  const signer = installSigner(main);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const program = join(dirname(main), 'replica', 'main.js');
  const children: Run[] = [];
  const authKey = Buffer.alloc(32, 0xcd);
  const replicaKey = signer.path('replica-auth');
  writeFileSync(replicaKey, `${'ef'.repeat(32)}\n`, { mode: 0o400 });

  const socketOf = (name: string) => signer.path(`${name}-run/socket`);
  const dirOf = (name: string) => signer.path(name);
  const replica = (name: string, changes: Record<string, string> = {}) => {
    const env = {
      PATH: process.env['PATH'],
      SIGNER_SOCKET: socketOf(name),
      SIGNER_STATE_DIR: dirOf(name),
      SIGNER_REPLICA_AUTH_FILE: replicaKey,
      ...changes,
    };
    const run = (words: readonly string[] = [], fileBlocksMax?: number) => {
      const started = runLimited([process.execPath, '--jitless', program, ...words], env, fileBlocksMax);
      children.push(started);
      return started;
    };
    return {
      run,
      async prepare(word: '--new' | '--rejoin' = '--new') {
        const prepared = run([word]);
        if ((await prepared.exited) !== 0) throw new Error(prepared.output());
      },
      start: (fileBlocksMax?: number) => whenReady(run([], fileBlocksMax), 'replica ready'),
    };
  };
  const operator = { SIGNER_OPERATOR_KEY: publicHexOf(publicKey) };
  const toReplica = (name: string) => ({
    ...operator,
    SIGNER_REPLICA: `unix:${socketOf(name)}`,
    SIGNER_REPLICA_AUTH_FILE: replicaKey,
  });
  /** A signer on another folder, with its own socket. */
  const on = (dir: string) => ({ SIGNER_STATE_DIR: dirOf(dir), SIGNER_SOCKET: signer.path(`run/${dir}.sock`) });

  return {
    path: signer.path,
    run: signer.run,
    start: signer.start,
    operator,
    /** The public half of a key that is not the operator's. */
    otherKeyHex: publicHexOf(generateKeyPairSync('ed25519').publicKey),
    toReplica,
    on,
    dirOf,
    replica,
    /** Prepares a replica and starts it. */
    async newReplica(name: string): Promise<Run> {
      await replica(name).prepare();
      return replica(name).start();
    },
    async clientOn<R>(dir: string, use: (client: SignerClient) => Promise<R>): Promise<R> {
      const socketPath = dir === 'state' ? signer.path('run/signer.sock') : on(dir).SIGNER_SOCKET;
      const client = createSignerClient({ socketPath, authKey, timeoutMs: 10_000 });
      try {
        return await use(client);
      } finally {
        await client.close();
      }
    },
    /** Lets the signer of this folder run without a replica. */
    async signAlone(dir: string): Promise<void> {
      const statement = await draftStatement(dirOf(dir));
      const signature = sign(null, aloneBytes(statement), privateKey).toString('base64');
      writeFileSync(join(dirOf(dir), 'alone.json'), JSON.stringify({ statement, signature }));
    },
    copy(from: string, to: string) {
      mkdirSync(dirOf(to), { recursive: true, mode: 0o700 });
      cpSync(dirOf(from), dirOf(to), { recursive: true });
    },
    remove() {
      for (const { child } of children) child.kill('SIGKILL');
      signer.remove();
    },
  };
}

export async function killed(run: Run, how: NodeJS.Signals = 'SIGKILL'): Promise<number | string | null> {
  run.child.kill(how);
  return run.exited;
}
