import { open } from 'node:fs/promises';

/** Without the sync, the new name of a file may be lost even though its content was synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
