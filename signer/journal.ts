import { z } from 'zod';
import { DurableFile, type FileOptions } from './durable-file';
import { CreatedKey, DekRow, SealedKeyRow } from './protocol';

const At = { at: z.iso.datetime() };
/** Where a key that was not drawn at random comes from. */
const Origin = z.union([
  z.strictObject({ parentKeyId: z.string(), path: z.string() }),
  z.strictObject({ importedBy: z.string() }),
]);
export type Origin = z.infer<typeof Origin>;
/** To whom a key was given: `recipientKey` is the public key that it was encrypted to. */
const Export = z.strictObject({ requestId: z.string(), orgId: z.string(), keyId: z.string(), recipientKey: z.string() });
export type Export = z.infer<typeof Export>;
const Entry = z.union([
  z.strictObject({ ...At, created: CreatedKey, origin: Origin.optional() }),
  z.strictObject({ ...At, exported: Export }),
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
  /** Undefined for a key that was drawn at random. */
  originOf(keyId: string): Origin | undefined;
  isChild(keyId: string): boolean;
  /** The keys that were derived from this one. */
  childrenOf(keyId: string): readonly string[];
  /** The key of the organisation with this public key. */
  keyWith(sealed: Pick<SealedKeyRow, 'orgId' | 'scheme' | 'curve' | 'publicKeyHex'>): string | undefined;
  /** Whether somebody outside was given the key, or one that it can be derived from. */
  isExported(keyId: string): boolean;
  findExport(requestId: string): Export | undefined;
  /** The data key that new keys of the organisation lie under. */
  findDek(orgId: string): DekRow | undefined;
  /** The data key that this request had made. */
  dekOf(requestId: string): DekRow | undefined;
  /** Data keys that are not wrapped under this key-encryption key. */
  deksNotUnder(kekId: string): readonly DekRow[];
  /** Resolves once the key is on the medium. */
  record(created: CreatedKey, origin?: Origin): Promise<void>;
  /** The key counts as exported from this call on, whatever becomes of the write. Resolves once it is on the medium. */
  recordExport(exported: Export): Promise<void>;
  recordDek(dek: DekRow, requestId?: string): Promise<void>;
  recordSealed(resealed: SealedKeyRow): Promise<void>;
  close(): Promise<void>;
}

export async function openKeyJournal(
  path: string,
  onBroken: (cause: Error) => void,
  options: FileOptions = {},
): Promise<KeyJournal> {
  const sealedKeys = new Map<string, SealedKeyRow>();
  const deks = new Map<string, DekRow>();
  const presentDeks = new Map<string, DekRow>();
  const requested = new Map<string, string>();
  const origins = new Map<string, Origin>();
  const byPublicKey = new Map<string, string>();
  const exportsByRequest = new Map<string, Export>();
  const exportedKeys = new Set<string>();

  const publicKeyOf = ({ orgId, scheme, curve, publicKeyHex }: Parameters<KeyJournal['keyWith']>[0]) =>
    `${orgId} ${scheme} ${curve} ${publicKeyHex}`;
  const indexExport = (exported: Export) => {
    exportsByRequest.set(exported.requestId, exported);
    exportedKeys.add(exported.keyId);
  };
  const index = (change: Change) => {
    if ('resealed' in change) {
      sealedKeys.set(change.resealed.keyId, change.resealed);
      return;
    }
    if ('exported' in change) {
      indexExport(change.exported);
      return;
    }
    const { dek } = 'created' in change ? change.created : change;
    const isNew = !deks.has(dek.dekId);
    // A key may be made under a row that was read before a rotation: it must not bring the older wrapping back.
    if (isNew || 'dek' in change) deks.set(dek.dekId, dek);
    if (isNew) presentDeks.set(dek.orgId, dek);
    if ('created' in change) {
      const { sealed } = change.created;
      sealedKeys.set(sealed.keyId, sealed);
      byPublicKey.set(publicKeyOf(sealed), sealed.keyId);
      if (change.origin) origins.set(sealed.keyId, change.origin);
    } else if (change.requestId !== undefined) requested.set(change.requestId, dek.dekId);
  };
  const file = await DurableFile.open(path, (entry) => index(Entry.parse(entry)), onBroken, options);
  const append = async (change: Change) => {
    await file.append({ at: new Date().toISOString(), ...change });
    index(change);
  };
  const parentOf = (keyId: string): string | undefined => {
    const origin = origins.get(keyId);
    return origin && 'parentKeyId' in origin ? origin.parentKeyId : undefined;
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
    originOf: (keyId) => origins.get(keyId),
    keyWith: (sealed) => byPublicKey.get(publicKeyOf(sealed)),
    isChild: (keyId) => parentOf(keyId) !== undefined,
    childrenOf: (keyId) => [...origins.keys()].filter((child) => parentOf(child) === keyId),
    // Whoever holds a master key can derive its children. A child has none, so there is no further parent to look at.
    isExported: (keyId) => exportedKeys.has(keyId) || exportedKeys.has(parentOf(keyId) ?? ''),
    findExport: (requestId) => exportsByRequest.get(requestId),
    findDek: (orgId) => latest(presentDeks.get(orgId)),
    dekOf: (requestId) => deks.get(requested.get(requestId) ?? ''),
    deksNotUnder: (kekId) => [...deks.values()].filter((dek) => dek.kekId !== kekId),
    record: (created, origin) => append({ created, ...(origin === undefined ? {} : { origin }) }),
    recordExport(exported) {
      indexExport(exported);
      return append({ exported });
    },
    recordDek: (dek, requestId) => append({ dek, ...(requestId === undefined ? {} : { requestId }) }),
    recordSealed: (resealed) => append({ resealed }),
    close: () => file.close(),
  };
}
