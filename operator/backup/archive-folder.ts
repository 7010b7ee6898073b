import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const ARCHIVE = /^strongroom-\d{8}T\d{6}Z\.tar\.gz$/;

/** The alphabetical order of these names is chronological. */
export const archiveName = (now: Date): string => `strongroom-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`;

/**
 * Removes all archives except the newest `keep`, and returns the names of the removed archives. Files with other names stay,
 * including the unfinished file of an interrupted run.
 */
export async function removeOldArchives(folder: string, keep: number): Promise<readonly string[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && ARCHIVE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(join(folder, name));
  return old;
}
