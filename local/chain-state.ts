import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Anvil's last dump, a gzip file, as hex. Undefined before the first dump. */
export async function readState(file: string): Promise<string | undefined> {
  try {
    return `0x${(await readFile(file)).toString('hex')}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Syncs each step to disk, so that after a loss of power the file has its old or its new content. */
export async function writeState(file: string, dump: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${file}.${randomUUID()}`;
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      await handle.writeFile(Buffer.from(dump.slice(2), 'hex'));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
