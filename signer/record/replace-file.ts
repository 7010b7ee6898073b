import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder';

/** Files that did not get their final names, because a crash ended the process that wrote them. */
export const UNFINISHED_FILE = /\.new$/;

export type Put = (content: string | Buffer) => Promise<void>;

async function writeSynced(path: string, write: (put: Put) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await write((content) => file.appendFile(content));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces the file atomically, even on a power failure. */
export async function replaceFile(path: string, write: (put: Put) => Promise<void>): Promise<void> {
  const fresh = `${path}.${randomUUID()}.new`;
  await writeSynced(fresh, write);
  await rename(fresh, path);
  await syncFolder(dirname(path));
}

/**
 * Creates the whole file or nothing, even on a power failure. Fails with `EEXIST` if the file exists, so that a process which
 * was suspended cannot overwrite the file of its successor.
 */
export async function createFile(path: string, write: (put: Put) => Promise<void>): Promise<void> {
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    await writeSynced(fresh, write);
    await link(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
  await syncFolder(dirname(path));
}
