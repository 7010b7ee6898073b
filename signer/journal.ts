import { z } from 'zod';
import { DurableFile } from './durable-file';
import { CreatedKey, DekRow, SealedKeyRow } from './protocol';

const At = { at: z.iso.datetime() };
const Entry = z.union([
  z.strictObject({ ...At, created: CreatedKey }),
  /** A data key that was made or wrapped anew; `requestId` is of who had it made. */
  z.strictObject({ ...At, dek: DekRow, requestId: z.string().optional() }),
  z.strictObject({ ...At, resealed: SealedKeyRow }),
]);
type Entry = z.infer<typeof Entry>;
type Change = Entry extends infer E ? (E extends Entry ? Omit<E, 'at'> : never) : never;

/**
 * Every key ever made, sealed, on the signer's own medium. A key is answered only after it stands here, so that an address
 * that was shown can be restored although the database lost its row. Rotations stand here too, or the keys could be opened
 * only under what a rotation was to replace.
 */
export interface KeyJournal {
  readonly size: number;
  readonly tornBytes: number;
  /** A key as it is sealed now, with its data key as that is wrapped now. */
  find(keyId: string): CreatedKey | undefined;
  /** The data key that new keys of the organisation lie under. */
  findDek(orgId: string): DekRow | undefined;
  /** The data key that this request had made. */
  dekOf(requestId: string): DekRow | undefined;
  /** Data keys that are not wrapped under this key-encryption key. */
  deksNotUnder(kekId: string): readonly DekRow[];
  /** Resolves once the key is on the medium. */
  record(created: CreatedKey): Promise<void>;
  recordDek(dek: DekRow, requestId?: string): Promise<void>;
  recordSealed(resealed: SealedKeyRow): Promise<void>;
  close(): Promise<void>;
}

export async function openKeyJournal(path: string, onBroken: (cause: Error) => void): Promise<KeyJournal> {
  const sealedKeys = new Map<string, SealedKeyRow>();
  const deks = new Map<string, DekRow>();
  const presentDeks = new Map<string, DekRow>();
  const requested = new Map<string, string>();

  const index = (change: Change) => {
    if ('resealed' in change) {
      sealedKeys.set(change.resealed.keyId, change.resealed);
      return;
    }
    const { dek } = 'created' in change ? change.created : change;
    const isNew = !deks.has(dek.dekId);
    // A key may be made under a row that was read before a rotation: it must not bring the older wrapping back.
    if (isNew || 'dek' in change) deks.set(dek.dekId, dek);
    if (isNew) presentDeks.set(dek.orgId, dek);
    if ('created' in change) sealedKeys.set(change.created.sealed.keyId, change.created.sealed);
    else if (change.requestId !== undefined) requested.set(change.requestId, dek.dekId);
  };
  const file = await DurableFile.open(path, (entry) => index(Entry.parse(entry)), onBroken);
  const append = async (change: Change) => {
    await file.append({ at: new Date().toISOString(), ...change });
    index(change);
  };
  const latest = (dek: DekRow | undefined) => dek && deks.get(dek.dekId);

  return {
    get size() {
      return sealedKeys.size;
    },
    tornBytes: file.tornBytes,
    find(keyId) {
      const sealed = sealedKeys.get(keyId);
      const dek = sealed && deks.get(sealed.dekId);
      return sealed && dek && { publicKeyHex: sealed.publicKeyHex, sealed, dek };
    },
    findDek: (orgId) => latest(presentDeks.get(orgId)),
    dekOf: (requestId) => deks.get(requested.get(requestId) ?? ''),
    deksNotUnder: (kekId) => [...deks.values()].filter((dek) => dek.kekId !== kekId),
    record: (created) => append({ created }),
    recordDek: (dek, requestId) => append({ dek, ...(requestId === undefined ? {} : { requestId }) }),
    recordSealed: (resealed) => append({ resealed }),
    close: () => file.close(),
  };
}
