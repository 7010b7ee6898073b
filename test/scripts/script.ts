import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export const ROOT = resolve(__dirname, '../..');
export const SCRIPTS = join(ROOT, 'scripts');

const everything = new Set<Started>();

/** Ends every started process, because a test that fails half-way does not end its processes. */
export function endAll(): void {
  for (const child of everything) child.kill('SIGKILL');
}

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

export type Started = ChildProcessByStdio<null, Readable, Readable>;

/** Starts one of our scripts, or a few lines that import our scripts, in a separate Node process. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, before: readonly string[] = []): Started {
  const [command = process.execPath, ...rest] = [...before, process.execPath, ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  everything.add(child);
  child.once('close', () => everything.delete(child));
  return child;
}

export const inline = (source: string): readonly string[] => ['--input-type=module', '-e', source];

export async function ended(child: Started): Promise<Run> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output };
}

export const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}, before: readonly string[] = []) =>
  ended(start(args, env, before));

/** Waits for output that matches, and returns the first group, or the whole match if the pattern has no group. */
export async function said(child: Started, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let output = '';
    const look = (chunk: Buffer) => {
      output += String(chunk);
      const found = pattern.exec(output);
      if (found) done(found[1] ?? found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('close', () => fail(new Error(`It ended without saying ${String(pattern)}:\n${output}`)));
  });
}

/** Whether a process has ended. A zombie is treated as ended. */
export function isGone(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return true;
  return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('The condition did not become true within 20 s');
    await delay(20);
  }
}
