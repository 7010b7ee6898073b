import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../error-code';
import { KEY_STORE_MARK, keyStoreDigest, type SignedKeyStoreEntry } from '../key-stores/key-store-change';
import { syncFolder } from '../record/sync-folder';
import { charterDigest, type SignedCharter } from './charter';
import { charterFolder, OFFERED, OUTCOME } from './charter-folder';
import { RESTRICTION_MARK, restrictionDigest, type SignedRestriction } from './restriction';

const LOOK_EVERY_MS = 100;

/**
 * The signer cannot read a file that root owns. If this process runs as root, it gives the path to the owner of the state folder.
 */
async function giveToOwner(path: string, stateDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(stateDir);
  await chown(path, uid, gid);
}

async function folderIn(stateDir: string): Promise<string> {
  const folder = charterFolder(stateDir);
  if (!existsSync(folder)) {
    // Another command may make the folder at the same moment.
    await mkdir(folder, { mode: 0o700, recursive: true });
    await giveToOwner(folder, stateDir);
  }
  return folder;
}

/**
 * Puts the charter into the folder in which the signer looks for charters, and waits for the outcome. Undefined if no signer
 * replies within `waitMs`: the file then stays in the folder until a signer reads it.
 */
export const offerCharter = (stateDir: string, signed: SignedCharter, waitMs: number): Promise<string | undefined> =>
  offer(stateDir, { name: charterDigest(signed.charter), signed }, waitMs);

/** Offers a restriction in the same way as `offerCharter`. */
export const offerRestriction = (stateDir: string, signed: SignedRestriction, waitMs: number): Promise<string | undefined> =>
  offer(stateDir, { name: `${restrictionDigest(signed.restriction)}${RESTRICTION_MARK}`, signed }, waitMs);

/** Offers an entry about a key store in the same way as `offerCharter`. */
export const offerKeyStoreEntry = (stateDir: string, signed: SignedKeyStoreEntry, waitMs: number): Promise<string | undefined> =>
  offer(stateDir, { name: `${keyStoreDigest(signed.entry)}${KEY_STORE_MARK}`, signed }, waitMs);

type Offer = { readonly name: string; readonly signed: SignedCharter | SignedRestriction | SignedKeyStoreEntry };

async function offer(stateDir: string, { name, signed }: Offer, waitMs: number): Promise<string | undefined> {
  const folder = await folderIn(stateDir);
  const outcomePath = join(folder, `${name}${OUTCOME}`);
  await rm(outcomePath, { force: true });

  const partial = join(folder, `${name}.${randomUUID()}.new`);
  const file = await open(partial, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(signed));
    await file.sync();
  } finally {
    await file.close();
  }
  await giveToOwner(partial, stateDir);
  await rename(partial, join(folder, `${name}${OFFERED}`));
  await syncFolder(folder);

  const deadline = performance.now() + waitMs;
  for (;;) {
    const outcome = await outcomeIn(outcomePath);
    if (outcome !== undefined) return outcome;
    if (performance.now() >= deadline) return undefined;
    await delay(LOOK_EVERY_MS);
  }
}

async function outcomeIn(path: string): Promise<string | undefined> {
  try {
    const outcome = await readFile(path, 'utf8');
    await rm(path);
    return outcome;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
