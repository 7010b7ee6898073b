import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const LEFT_OUT = new Set(['node_modules', '.git', '.cache', '.data', 'coverage']);

type Ended = { readonly code: number; readonly output: string };

/** Copies the tree, or these parts of it, because a generator writes into the repository in which it lies. */
export function copyTree(parts: readonly string[] = readdirSync(ROOT).filter((name) => !LEFT_OUT.has(name))) {
  const path = mkdtempSync(join(tmpdir(), 'strongroom-new-'));
  for (const part of parts) cpSync(join(ROOT, part), join(path, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  /** Runs Node without this run's Postgres server, because tests of the copy would replace databases that other tests use. */
  const node = (...args: string[]): Promise<Ended> => {
    const { TEST_POSTGRES_URL: _server, ...env } = process.env;
    return new Promise((end) => {
      execFile(process.execPath, args, { cwd: path, env, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) => {
        end({ code: error === null ? 0 : Number(error.code ?? 1), output: out + err });
      });
    });
  };
  return {
    path,
    node,
    tool: (file: string, ...args: string[]) => node(join('node_modules', file), ...args),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
