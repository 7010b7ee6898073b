import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { createSignerClient } from '../../signer/client';
import { ARITHMETIC } from '../support/native-arithmetic';
import { temporaryFolder } from './fixtures';

const ROOT = join(__dirname, '../..');
/** The folders that the signer may import. If it imports another folder, the compiled process does not start. */
const FOLDERS = ['domain', 'policy', 'platform', 'chains', 'signer'];
const READY_TIMEOUT_MS = 20_000;

/** Compiles the current signer into a folder of this process, so that no test runs an older build. */
export function compileSigner(): { main: string; remove: () => void } {
  const out = join(ROOT, '.cache', `signer-test-${process.pid}`);
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const target = join(out, folder, name.replace(/\.ts$/, '.js'));
      const { code } = transformSync(readFileSync(join(ROOT, folder, name), 'utf8'), {
        filename: name,
        swcrc: false,
        jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
        module: { type: 'commonjs' },
      });
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, code);
    }
  }
  return { main: join(out, 'signer', 'main.js'), remove: () => rmSync(out, { recursive: true, force: true }) };
}

/** The flags with which the image starts the signer. */
export const FLAGS: readonly string[] = JSON.parse(
  `[${/CMD \[(.*), "dist\/signer\/main\.js"\]/.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1]}]`,
);

export type Run = { readonly child: ChildProcess; output(): string; exited: Promise<number | string | null> };

/** Runs a program that may write files of at most `fileBlocksMax` blocks of 1024 bytes. */
export function runLimited(words: readonly string[], env: NodeJS.ProcessEnv, fileBlocksMax?: number): Run {
  const limited = `ulimit -c 0; ulimit -f ${fileBlocksMax ?? 'unlimited'}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', limited, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    output += String(chunk);
  });
  const exited = new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { child, output: () => output, exited };
}

/** Resolves when the program reports that it is ready. */
export async function whenReady(started: Run, word: string): Promise<Run> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready: ${started.output()}`)), READY_TIMEOUT_MS);
    started.child.stdout?.on('data', () => {
      if (!started.output().includes(word)) return;
      clearTimeout(timer);
      resolve();
    });
    void started.exited.then(() => {
      clearTimeout(timer);
      reject(new Error(`the program ended: ${started.output()}`));
    });
  });
  return started;
}

/** Creates the files of a signer, and returns functions that start the signer on these files any number of times. */
export function installSigner(main: string) {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  const authKey = Buffer.alloc(32, 0xcd);
  writeFileSync(path('kek'), `${'ab'.repeat(32)}\n`, { mode: 0o400 });
  writeFileSync(path('auth'), `${authKey.toString('hex')}\n`, { mode: 0o400 });
  const env = {
    PATH: process.env['PATH'],
    SIGNER_SOCKET: path('run/signer.sock'),
    SIGNER_KEK_FILE: path('kek'),
    SIGNER_AUTH_FILE: path('auth'),
    SIGNER_STATE_DIR: path('state'),
    ...ARITHMETIC,
  };

  const children: ChildProcess[] = [];

  /** Runs the signer. `fileBlocksMax` limits each file that the signer writes, in blocks of 1024 bytes. */
  const run = (
    changes: Record<string, string> = {},
    fileBlocksMax?: number,
    flags: readonly string[] = FLAGS,
    before: readonly string[] = [],
  ): Run => {
    const started = runLimited([...before, process.execPath, ...flags, main], { ...env, ...changes }, fileBlocksMax);
    children.push(started.child);
    return started;
  };

  return {
    path,
    run,
    client: () => createSignerClient({ socketPath: env.SIGNER_SOCKET, authKey, timeoutMs: 10_000 }),
    /** Resolves when the signer reports that it is ready. */
    start(
      fileBlocksMax?: number,
      changes: Record<string, string> = {},
      flags?: readonly string[],
      before?: readonly string[],
    ): Promise<Run> {
      return whenReady(run(changes, fileBlocksMax, flags, before), 'signer ready');
    },
    /** Kills every process, so that a failed test leaves no process running. */
    remove() {
      for (const child of children) child.kill('SIGKILL');
      folder.remove();
    },
  };
}
