import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const STAGE = join(__dirname, '..', '..', 'scripts', 'drill-supervisor.mjs');
const ORDER_LIMIT_MS = 180_000;

const Message = z.union([
  z.object({ died: z.string(), how: z.string() }),
  z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() }),
]);

/** Starts and stops all processes of the service. When the supervisor is killed, these processes end too. */
export type Supervisor = {
  /** Rejects if the order fails. */
  readonly order: (name: string, ...args: readonly unknown[]) => Promise<unknown>;
  readonly kill: () => Promise<void>;
  readonly end: () => Promise<void>;
};

type Options = { readonly logFile: string; readonly onDeath: (role: string, how: string) => void };

export function startSupervisor({ logFile, onDeath }: Options): Supervisor {
  // In its own process group, the child does not get a Ctrl-C on the console.
  const child: ChildProcess = spawn(process.execPath, [STAGE], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  const open = new Map<number, (message: { readonly result?: unknown; readonly error?: string | undefined }) => void>();
  let orders = 0;
  child.on('message', (raw) => {
    const message = Message.parse(raw);
    if ('died' in message) onDeath(message.died, message.how);
    else open.get(message.id)?.(message);
  });
  const exited = once(child, 'exit');
  void exited.then(() => {
    for (const answer of open.values()) answer({ error: `the supervisor has ended; see ${logFile}` });
  });

  return {
    order: (name, ...args) =>
      new Promise((resolve, reject) => {
        orders += 1;
        const id = orders;
        const late = setTimeout(() => reject(new Error(`${name} did not complete within ${ORDER_LIMIT_MS} ms`)), ORDER_LIMIT_MS);
        open.set(id, ({ result, error }) => {
          open.delete(id);
          clearTimeout(late);
          if (error === undefined) resolve(result);
          else reject(new Error(`${name} ${args.map((arg) => (typeof arg === 'string' ? arg : '')).join(' ')}: ${error}`));
        });
        child.send({ id, order: name, args });
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (child.connected) child.send({ id: 0, order: 'end', args: [] });
      await exited;
    },
  };
}
