import { open, rm } from 'node:fs/promises';

/** Only the owner can read the new file. Throws if the file exists. */
export async function createPrivateText(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${path} exists already, and is not overwritten`) : error;
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
