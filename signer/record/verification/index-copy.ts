import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '../../error-code';
import { isDamage, SealedStore, StoreDamaged } from '../journal/sealed-store';
import { type FolderFault, wordsOf } from './folder-fault';

const ATTEMPTS_MAX = 20;
/** The lock and the message log are not part of the store. */
const UNCOPIED = /^(LOCK|LOG|LOG\.old)$/;
const MESSAGE_LOG = 'LOG';
const DROPPED = /dropping \d+ bytes/;

const filesOf = async (path: string) => (await readdir(path)).filter((name) => !UNCOPIED.test(name)).sort();
const isGone = (error: unknown) => errorCode(error) === 'ENOENT';

/**
 * Copies the files of an index: LevelDB writes when it opens a store, and the signer may have the store open. Returns false if
 * there is no such index. LevelDB never reuses a file name, and only appends to files. If no file appears or disappears during
 * the copy, the copy is the store as it was at one moment.
 */
async function copyIndex(path: string, into: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    await rm(into, { recursive: true, force: true });
    await mkdir(into, { mode: 0o700 });
    try {
      const names = await filesOf(path);
      for (const name of names) await copyFile(join(path, name), join(into, name), constants.COPYFILE_FICLONE);
      if (names.join() === (await filesOf(path)).join()) return true;
    } catch (error) {
      if (!isGone(error)) throw error;
      // A takeover of the folder removes the index of the earlier holder.
      if (!(await isThere(path))) return false;
    }
  }
  throw new Error(`${path} changed during each of ${ATTEMPTS_MAX} copies: repeat the command when the signer is less busy`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await readdir(path);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

export type IndexCopy = { readonly store?: SealedStore; readonly fault?: FolderFault };

/** A copy of the index whose values were all checked. Empty if there is no index. The caller closes the store. */
export async function openIndexCopy(path: string, into: string, key: Buffer): Promise<IndexCopy> {
  if (!(await copyIndex(path, into))) return {};
  let store: SealedStore | undefined;
  try {
    store = await SealedStore.open(into, key);
    // LevelDB treats a damaged end of its write-ahead log as the effect of a crash, and reports the damage only in its message
    // log.
    if (DROPPED.test(await readFile(join(into, MESSAGE_LOG), 'utf8'))) throw new StoreDamaged('a part of its log is damaged');
    await store.check('AtOnce');
    return { store };
  } catch (error) {
    await store?.close();
    if (!isDamage(error)) throw error;
    return { fault: { place: basename(path), fault: wordsOf(error) } };
  }
}
