import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** After a loss of power the file has all of the old text or all of the new text. Only its owner can read the file. */
export function replaceText(path: string, text: string): void {
  const partial = `${path}.${randomUUID()}.partial`;
  writeFileSync(partial, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(partial, path);
  syncFolderOf(path);
}

/** The name of a new file is durable only once its folder is. */
export function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
