import { z } from 'zod';
import { DekRow, SealedKeyRow } from '../orders/key-rows';
import { CreatedKey } from '../protocol';
import { DurableFile, type FileOptions } from './durable-file';
import { createKinship, type Kin, type KnownKey, Origin } from './kinship';

const At = { at: z.iso.datetime() };
/** `recipientKey` is the public key to which the exported key was encrypted. */
const Export = z.strictObject({ requestId: z.string(), orgId: z.string(), keyId: z.string(), recipientKey: z.string() });
export type Export = z.infer<typeof Export>;
const Entry = z.union([
  z.strictObject({ ...At, created: CreatedKey, origin: Origin.optional() }),
  z.strictObject({ ...At, exported: Export }),
  /** A data key that was created or rewrapped; `requestId` names the request that created the data key. */
  z.strictObject({ ...At, dek: DekRow, requestId: z.string().optional() }),
  z.strictObject({ ...At, resealed: SealedKeyRow }),
]);
type Entry = z.infer<typeof Entry>;
type Change = Entry extends infer E ? (E extends Entry ? Omit<E, 'at'> : never) : never;

const inOrganisation = ({ orgId }: { readonly orgId: string }, id: string) => `${orgId} ${id}`;

interface Lookups {
  /** The newest sealed form of the key, and the newest wrapped form of its data key. */
  find(keyId: string): CreatedKey | undefined;
  /** Undefined for a key that was drawn at random. */
  originOf(keyId: string): Origin | undefined;
  isChild(keyId: string): boolean;
  keyWith(sealed: Pick<SealedKeyRow, 'orgId' | 'scheme' | 'curve' | 'publicKeyHex'>): string | undefined;
  kinOf(key: KnownKey): Kin;
  /** True if an export has revealed this key, or a key from which this key can be derived. */
  isExported(key: KnownKey): boolean;
  findExport(request: Pick<Export, 'orgId' | 'requestId'>): Export | undefined;
  /** The data key that seals the organisation's new keys. */
  findDek(orgId: string): DekRow | undefined;
  dekOf(request: Pick<Export, 'orgId' | 'requestId'>): DekRow | undefined;
  deksNotUnder(kekId: string): readonly DekRow[];
}

/**
 * A file on the signer's own disk with every key that the signer ever made, in sealed form. A key is recorded before the reply.
 * A key whose address was shown can therefore be restored even if the database has lost its row. Rotations are recorded, or a
 * restored key would open only under keys that a rotation has replaced.
 */
export interface KeyLog extends Lookups {
  readonly size: number;
  readonly tornBytes: number;
  /** Resolves once the key is on the disk. */
  record(created: CreatedKey, origin?: Origin): Promise<void>;
  /** The key counts as exported from this call on, even if the write fails. Resolves once the export is on the disk. */
  recordExport(exported: Export): Promise<void>;
  recordDek(dek: DekRow, requestId?: string): Promise<void>;
  recordSealed(resealed: SealedKeyRow): Promise<void>;
  close(): Promise<void>;
}

function createIndex() {
  const sealedKeys = new Map<string, SealedKeyRow>();
  const deks = new Map<string, DekRow>();
  const presentDeks = new Map<string, DekRow>();
  const requested = new Map<string, string>();
  const kinship = createKinship();
  const exportsByRequest = new Map<string, Export>();
  const exportedKeys = new Set<string>();

  const addExport = (exported: Export) => {
    exportsByRequest.set(inOrganisation(exported, exported.requestId), exported);
    exportedKeys.add(inOrganisation(exported, exported.keyId));
  };
  const addSealed = (sealed: SealedKeyRow) => {
    sealedKeys.set(sealed.keyId, sealed);
    kinship.add(sealed);
  };
  const add = (change: Change) => {
    if ('resealed' in change) {
      addSealed(change.resealed);
      return;
    }
    if ('exported' in change) {
      addExport(change.exported);
      return;
    }
    const { dek } = 'created' in change ? change.created : change;
    const isNew = !deks.has(dek.dekId);
    // A key may be created with a data key row that was read before a rotation. That row must not replace the newer wrapping.
    if (isNew || 'dek' in change) deks.set(dek.dekId, dek);
    if (isNew) presentDeks.set(dek.orgId, dek);
    if ('created' in change) {
      const { sealed } = change.created;
      addSealed(sealed);
      if (change.origin) kinship.addOrigin(sealed.keyId, change.origin);
    } else if (change.requestId !== undefined) requested.set(inOrganisation(dek, change.requestId), dek.dekId);
  };
  const latest = (dek: DekRow | undefined) => dek && deks.get(dek.dekId);

  const lookups: Lookups = {
    find(keyId) {
      const sealed = sealedKeys.get(keyId);
      const dek = sealed && deks.get(sealed.dekId);
      return sealed && dek && { publicKeyHex: sealed.publicKeyHex, sealed, dek };
    },
    originOf: kinship.originOf,
    keyWith: (sealed) => [...kinship.idsWith(sealed)].find((keyId) => sealedKeys.get(keyId)?.scheme === sealed.scheme),
    isChild: kinship.isChild,
    kinOf: kinship.kinOf,
    isExported(key) {
      const { same, above } = kinship.kinOf(key);
      return [...same, ...above].some((keyId) => exportedKeys.has(inOrganisation(key, keyId)));
    },
    findExport: (request) => exportsByRequest.get(inOrganisation(request, request.requestId)),
    findDek: (orgId) => latest(presentDeks.get(orgId)),
    dekOf: (request) => deks.get(requested.get(inOrganisation(request, request.requestId)) ?? ''),
    deksNotUnder: (kekId) => [...deks.values()].filter((dek) => dek.kekId !== kekId),
  };
  return { add, addExport, size: () => sealedKeys.size, lookups };
}

export async function openKeyLog(path: string, onBroken: (cause: Error) => void, options: FileOptions = {}): Promise<KeyLog> {
  const index = createIndex();
  const file = await DurableFile.open(path, (entry) => index.add(Entry.parse(entry)), onBroken, options);
  const append = async (change: Change) => {
    await file.append({ at: new Date().toISOString(), ...change });
    index.add(change);
  };

  return {
    get size() {
      return index.size();
    },
    tornBytes: file.tornBytes,
    ...index.lookups,
    record: (created, origin) => append({ created, ...(origin === undefined ? {} : { origin }) }),
    recordExport(exported) {
      index.addExport(exported);
      return append({ exported });
    },
    recordDek: (dek, requestId) => append({ dek, ...(requestId === undefined ? {} : { requestId }) }),
    recordSealed: (resealed) => append({ resealed }),
    close: () => file.close(),
  };
}
