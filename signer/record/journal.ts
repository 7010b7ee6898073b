import { z } from 'zod';
import { CreatedKey, DekRow, SealedKeyRow } from '../protocol';
import { DurableFile, type FileOptions } from './durable-file';

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

/** A key as an order names it: the id may be an alias, the public key is the key itself. */
export type KnownKey = Pick<SealedKeyRow, 'orgId' | 'keyId' | 'curve' | 'publicKeyHex'>;

/** Ids of the organisation: all that are this public key, those of the keys that it can be derived from, and those that can be derived from it. */
type KinIds = { readonly same: readonly string[]; readonly above: readonly string[]; readonly below: readonly string[] };
/** The same as secrets (`secretOf`), whatever their ids. */
export type Kin = KinIds & { readonly secrets: KinIds };

/** Hex digits of the coordinate that both forms of a public key on secp256k1 share, and of a whole public key on the other curves. */
const COORDINATE_CHARS = 64;
/** One secret, whatever scheme it signs by: the parity in front of a compressed point separates a secret from its negation only. */
export const secretOf = ({ orgId, curve, publicKeyHex }: Omit<KnownKey, 'keyId'>) =>
  `${orgId} ${curve} ${publicKeyHex.slice(-COORDINATE_CHARS)}`;
const inOrganisation = ({ orgId }: { readonly orgId: string }, id: string) => `${orgId} ${id}`;

/** Walks `next` from these ids to its end. */
function reached(from: Iterable<string>, next: (id: string) => Iterable<string>): readonly string[] {
  const found = new Set(from);
  // A Set that grows is walked to its new end.
  for (const id of found) for (const more of next(id)) found.add(more);
  return [...found];
}

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
  /** The key of the organisation with this public key, under whichever id. */
  keyWith(sealed: Pick<SealedKeyRow, 'orgId' | 'scheme' | 'curve' | 'publicKeyHex'>): string | undefined;
  kinOf(key: KnownKey): Kin;
  /** Whether an export gave this public key to a recipient, or that of a key that it can be derived from. */
  isExported(key: KnownKey): boolean;
  findExport(request: Pick<Export, 'orgId' | 'requestId'>): Export | undefined;
  /** The data key that new keys of the organisation lie under. */
  findDek(orgId: string): DekRow | undefined;
  /** The data key that this request had made. */
  dekOf(request: Pick<Export, 'orgId' | 'requestId'>): DekRow | undefined;
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
  const idsBySecret = new Map<string, Set<string>>();
  const children = new Map<string, Set<string>>();
  const exportsByRequest = new Map<string, Export>();
  const exportedKeys = new Set<string>();

  const indexExport = (exported: Export) => {
    exportsByRequest.set(inOrganisation(exported, exported.requestId), exported);
    exportedKeys.add(inOrganisation(exported, exported.keyId));
  };
  const addTo = (sets: Map<string, Set<string>>, name: string, id: string) =>
    sets.set(name, (sets.get(name) ?? new Set()).add(id));
  const indexSealed = (sealed: SealedKeyRow) => {
    sealedKeys.set(sealed.keyId, sealed);
    addTo(idsBySecret, secretOf(sealed), sealed.keyId);
  };
  const index = (change: Change) => {
    if ('resealed' in change) {
      indexSealed(change.resealed);
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
      indexSealed(sealed);
      if (change.origin) origins.set(sealed.keyId, change.origin);
      if (change.origin && 'parentKeyId' in change.origin) addTo(children, change.origin.parentKeyId, sealed.keyId);
    } else if (change.requestId !== undefined) requested.set(inOrganisation(dek, change.requestId), dek.dekId);
  };
  const file = await DurableFile.open(path, (entry) => index(Entry.parse(entry)), onBroken, options);
  const append = async (change: Change) => {
    await file.append({ at: new Date().toISOString(), ...change });
    index(change);
  };
  const parentOf = (keyId: string): readonly string[] => {
    const origin = origins.get(keyId);
    return origin && 'parentKeyId' in origin ? [origin.parentKeyId] : [];
  };
  const latest = (dek: DekRow | undefined) => dek && deks.get(dek.dekId);
  const idsWith = (key: Omit<KnownKey, 'keyId'>): Iterable<string> => idsBySecret.get(secretOf(key)) ?? [];
  const aliases = (keyId: string): Iterable<string> => {
    const sealed = sealedKeys.get(keyId);
    return sealed ? idsWith(sealed) : [];
  };
  const secretsOf = (ids: readonly string[]): readonly string[] =>
    ids.flatMap((id) => {
      const sealed = sealedKeys.get(id);
      return sealed ? [secretOf(sealed)] : [];
    });
  const kinOf = (key: KnownKey): Kin => {
    const same = reached([key.keyId, ...idsWith(key)], aliases);
    const along = (next: (id: string) => Iterable<string>) =>
      reached(same, (id) => [...aliases(id), ...next(id)]).filter((id) => !same.includes(id));
    const kin = { same, above: along(parentOf), below: along((id) => children.get(id) ?? []) };
    const secrets = { same: [secretOf(key), ...secretsOf(same)], above: secretsOf(kin.above), below: secretsOf(kin.below) };
    return { ...kin, secrets };
  };

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
    keyWith: (sealed) => [...idsWith(sealed)].find((keyId) => sealedKeys.get(keyId)?.scheme === sealed.scheme),
    isChild: (keyId) => parentOf(keyId).length > 0,
    kinOf,
    isExported(key) {
      const { same, above } = kinOf(key);
      return [...same, ...above].some((keyId) => exportedKeys.has(inOrganisation(key, keyId)));
    },
    findExport: (request) => exportsByRequest.get(inOrganisation(request, request.requestId)),
    findDek: (orgId) => latest(presentDeks.get(orgId)),
    dekOf: (request) => deks.get(requested.get(inOrganisation(request, request.requestId)) ?? ''),
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
