import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readAdoptedCharters } from '../charters/adopted-charters';
import {
  CHARTER_BYTES_MAX,
  CharterLimits,
  CharterSeen,
  charterBytes,
  charterDigest,
  charterFaults,
  isSignedBy,
  operatorKeyOf,
  readCharter,
  SignedCharter,
} from '../charters/charter';
import { offerCharter, offerKeyStoreEntry, offerRestriction } from '../charters/offer-charter';
import { OperatorKeyEnv } from '../charters/operator-key-variable';
import {
  isKeyStoreEntrySignedBy,
  KEY_STORE_FILE_BYTES_MAX,
  keyStoreBytes,
  keyStoreDigest,
  readKeyStoreEntry,
  readSignedKeyStoreEntry,
} from '../key-stores/key-store-change';
import { readRecordedKeyStores } from '../key-stores/recorded-key-stores';
import { openDek, openKey } from '../keys/envelope';
import { createFileKek } from '../keys/kek';
import { KekEnv, kekConfigOf } from '../keys/kek/config';
import { openKeks } from '../keys/kek/open';
import { readPrivateFile } from '../keys/key-file';
import { signerIdIn } from '../keys/share-keys';
import { DekRow, SealedKeyRow } from '../orders/key-rows';
import { FREEZE_FILE } from '../record/frozen-file';
import { lastSealEnd } from '../record/journal/last-seal';
import { indexesOf, removeIndex } from '../record/journal/segments';
import { readSignatures } from '../record/read-signatures';
import { ALONE_FILE, aloneBytes, assertStatement, draftStatement, placeStatement } from '../record/replication/alone';
import { syncFolder } from '../record/sync-folder';
import { verifyFolder } from '../record/verification/verify-folder';
import { REPLICA_MARKER } from '../replica/marker';
import { schemeOf } from '../schemes/scheme';

export type { CharterOnRecord } from '../charters/adopted-charters';
export type { Charter, CharterEndUsers, CharterLimit, CharterSeen } from '../charters/charter';
export type { KeyStoreChange, KeyStoreEntry, SignedKeyStoreEntry } from '../key-stores/key-store-change';
export type { FolderReport } from '../record/verification/verify-folder';

/** Files that concern only the signer of this folder and must not be restored elsewhere. */
const OF_THIS_PLACE = new Set(['lock', FREEZE_FILE, REPLICA_MARKER, ALONE_FILE]);
const UNFINISHED = /\.(new|partial|tmp)$/;

/** The files that belong in a backup. Empty if the folder does not exist. */
export function stateFilesOf(stateDir: string): string[] {
  if (!existsSync(stateDir)) return [];
  return readdirSync(stateDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !OF_THIS_PLACE.has(entry.name) && !UNFINISHED.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** `readSignatures`, for the operator's commands. */
export const readSignaturesOf = readSignatures;

/** The code with which the signer itself reads and checks charters. */
export const CHARTER_CODE = {
  bytesMax: CHARTER_BYTES_MAX,
  read: readCharter,
  faults: charterFaults,
  Limits: CharterLimits,
  Seen: CharterSeen,
  digest: charterDigest,
  signedBytes: charterBytes,
  SignedCharter,
  isSignedBy,
  keyOf: operatorKeyOf,
  adopted: readAdoptedCharters,
  offer: offerCharter,
  offerRestriction,
  readPrivateFile,
} as const;

/** The code with which the signer itself reads and checks entries about key stores. */
export const KEY_STORE_CODE = {
  read: readKeyStoreEntry,
  digest: keyStoreDigest,
  signedBytes: keyStoreBytes,
  isSignedBy: isKeyStoreEntrySignedBy,
  recorded: readRecordedKeyStores,
  offer: offerKeyStoreEntry,
  bytesMax: KEY_STORE_FILE_BYTES_MAX,
  readSigned: readSignedKeyStoreEntry,
} as const;

/** The code with which the signer itself finds its keys and reads its folder. */
export const FOLDER_CODE = {
  Env: { ...KekEnv, ...OperatorKeyEnv },
  kekConfigOf,
  openKeks,
  verify: verifyFolder,
} as const;

/** The code with which the signer reads the statement that lets it run without a replica. */
export const ALONE_CODE = {
  draft: draftStatement,
  assertStatement,
  signedBytes: aloneBytes,
  place: placeStatement,
} as const;

/** Undefined for a folder in which no signer has started yet. */
export const signerIdOf = (stateDir: string): string | undefined => signerIdIn(join(stateDir, 'share-keys.json'));

/** The end of the last sealed batch in a journal file. The bytes after this end may still change. */
export const sealedEndOf = lastSealEnd;

/** Removes the indexes of a journal that no longer exists. The next start builds a new index. */
export async function removeIndexes(stateDir: string): Promise<void> {
  for (const path of indexesOf(stateDir)) await removeIndex(path);
}

/** After this call every signer of this folder refuses the orders that use a key, even a signer that starts later. */
export async function freezeState(stateDir: string, reason: string): Promise<void> {
  const partial = join(stateDir, `.${FREEZE_FILE}-${randomUUID()}.partial`);
  const file = await open(partial, 'wx', 0o600);
  try {
    await file.writeFile(`${reason}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, join(stateDir, FREEZE_FILE));
  await syncFolder(stateDir);
}

export async function thawState(stateDir: string): Promise<void> {
  await rm(join(stateDir, FREEZE_FILE), { force: true });
  await syncFolder(stateDir);
}

export type KeyCheck = {
  readonly kekId: string;
  /** Throws unless the sealed key opens and has this public key. No secret leaves this function. */
  readonly check: (sealed: unknown, dek: unknown) => Promise<void>;
};

/** Takes ownership of the 32 bytes and wipes the caller's buffer. */
export function createKeyCheck(kekSecret: Buffer): KeyCheck {
  const kek = createFileKek(kekSecret);
  return {
    kekId: kek.id,
    async check(sealedRow, dekRow) {
      const [sealed, dek] = [SealedKeyRow.parse(sealedRow), DekRow.parse(dekRow)];
      const data = await openDek(kek, dek, sealed.orgId);
      try {
        const secret = openKey(data, sealed, sealed);
        try {
          if (schemeOf(sealed).publicKeyHexOf(secret) !== sealed.publicKeyHex) throw new Error('it has another public key');
        } finally {
          secret.fill(0);
        }
      } finally {
        data.fill(0);
      }
    },
  };
}
