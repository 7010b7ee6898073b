import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const LEFT_OUT = new Set(['node_modules', '.git', '.cache', '.data', 'coverage']);

type Ended = { readonly code: number; readonly output: string };

/** A copy of the tree, or of these parts of it, since a generator writes to the repository that it lies in. */
export function copyTree(parts: readonly string[] = readdirSync(ROOT).filter((name) => !LEFT_OUT.has(name))) {
  const path = mkdtempSync(join(tmpdir(), 'strongroom-new-'));
  for (const part of parts) cpSync(join(ROOT, part), join(path, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  /** Without the server of this run: the tests of the copy would make its databases anew under those that run beside. */
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
