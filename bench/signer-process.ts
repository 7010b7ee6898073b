import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSignerClient } from '../signer/client';
import type { Arithmetic, SignerClient } from '../signer/protocol';
import { ROOT } from './config';

const ASK_EVERY_MS = 10;
const START_TIMEOUT_MS = 10_000;
/** Node's flags in the signer's image. */
export const FLAGS = ['--jitless', '--no-expose-wasm', '--disable-proto=delete', '--disallow-code-generation-from-strings'];
/** The key-encryption key of each signer that a bench starts. */
export const KEK_HEX = '01'.repeat(32);

export type BenchSigner = {
  readonly pid: number;
  readonly client: SignerClient;
  readonly socketPath: string;
  /** The key that the signer shares with the worker. */
  readonly authKey: Buffer;
  /** The seconds from the start of the process to its first reply. */
  readonly startSeconds: number;
  readonly stop: () => Promise<void>;
};

/**
 * `stop` keeps the caller's `stateDir`. Without `stateDir` the signer gets a new folder, which `stop` removes. `operatorKeyHex`
 * is the public key that verifies charters. `program` is the main file of the signer, by default the file in `dist/`. `env` has
 * additional variables. With `isCompiled`, Node compiles the code (JIT), unlike in production.
 */
type Options = {
  readonly stateDir?: string;
  readonly startTimeoutMs?: number;
  readonly operatorKeyHex?: string;
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isCompiled?: boolean;
};

/** As in production, the signer syncs its log to disk before it replies. */
export async function startSigner(arithmetic: Arithmetic, options: Options = {}): Promise<BenchSigner> {
  const folder = mkdtempSync(join(tmpdir(), 'strongroom-bench-signer-'));
  const path = (name: string) => join(folder, name);
  const { stateDir = path('state'), startTimeoutMs = START_TIMEOUT_MS, operatorKeyHex, env = {}, isCompiled = false } = options;
  const { program = join(ROOT, 'dist', 'signer', 'main.js') } = options;
  const authKey = Buffer.alloc(32, 2);
  writeFileSync(path('kek'), KEK_HEX, { mode: 0o400 });
  writeFileSync(path('auth'), authKey.toString('hex'), { mode: 0o400 });
  const started = performance.now();
  const child = spawn(process.execPath, [...(isCompiled ? [] : FLAGS), program], {
    env: {
      LOG_LEVEL: 'warn',
      SIGNER_SOCKET: path('run/socket'),
      SIGNER_KEK_FILE: path('kek'),
      SIGNER_AUTH_FILE: path('auth'),
      SIGNER_STATE_DIR: stateDir,
      SIGNER_ARITHMETIC: arithmetic,
      SIGNER_HASH: 'true',
      ...(operatorKeyHex === undefined ? {} : { SIGNER_OPERATOR_KEY: operatorKeyHex }),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const client = createSignerClient({ socketPath: path('run/socket'), authKey, timeoutMs: 30_000 });
  for (;;) {
    try {
      await client.health();
      break;
    } catch (error) {
      if (performance.now() - started >= startTimeoutMs || child.exitCode !== null) {
        child.kill('SIGKILL');
        throw error;
      }
      await delay(ASK_EVERY_MS);
    }
  }
  return {
    pid: child.pid ?? 0,
    client,
    socketPath: path('run/socket'),
    authKey,
    startSeconds: (performance.now() - started) / 1_000,
    stop: async () => {
      await client.close();
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
