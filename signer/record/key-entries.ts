import { z } from 'zod';
import type { DekRow, SealedKeyRow } from '../orders/key-rows';
import type { CreatedKey } from '../protocol';
import { charterName } from './charter-entries';
import { applyHolding, type KeyHolding } from './holders/holder-entries';
import type { Index } from './journal/index-store';
import { actionName } from './signing-entries';

/** The source of a key that was not drawn at random. */
export const Origin = z.union([
  z.strictObject({ parentKeyId: z.string(), path: z.string() }),
  z.strictObject({ importedBy: z.string() }),
]);
export type Origin = z.infer<typeof Origin>;
/** `recipientKey` is the public key to which the exported key was encrypted. */
export const Export = z.strictObject({
  requestId: z.string(),
  orgId: z.string(),
  keyId: z.string(),
  recipientKey: z.string(),
  /** The digest of the signed action that requested the export. Absent for an organisation without a charter. */
  action: z.string().optional(),
});
export type Export = z.infer<typeof Export>;

export type KeyCreatedEntry = {
  readonly kind: 'KeyCreated';
  readonly created: CreatedKey;
  readonly origin?: Origin | undefined;
  /** The end user who holds the key. Keys derived from it have the same holder, and no entry of their own. */
  readonly holding?: KeyHolding | undefined;
};
export type KeyExportedEntry = { readonly kind: 'KeyExported'; readonly exported: Export };
/** A data key that was created or rewrapped; `requestId` names the request that created the data key. */
export type DataKeyEntry = { readonly kind: 'DataKey'; readonly dek: DekRow; readonly requestId?: string | undefined };
export type KeyResealedEntry = { readonly kind: 'KeyResealed'; readonly resealed: SealedKeyRow };

/** Several ids may name the same key, so only the public key identifies the key. */
export type KnownKey = Pick<SealedKeyRow, 'orgId' | 'keyId' | 'curve' | 'publicKeyHex'>;
export type KeyRecord = { readonly sealed: SealedKeyRow; readonly origin?: Origin | undefined };

/**
 * The last hex digits of a public key, which identify a secret. On secp256k1 these digits are the x coordinate, which public
 * keys of 32 and of 33 bytes share. On other curves these digits are the whole public key.
 */
const COORDINATE_CHARS = 64;
/**
 * Identifies one secret under every scheme. The parity byte of a compressed point is left out, because the byte only
 * distinguishes a secret from its negation.
 */
export const secretOf = ({ orgId, curve, publicKeyHex }: Omit<KnownKey, 'keyId'>) =>
  `${orgId} ${curve} ${publicKeyHex.slice(-COORDINATE_CHARS)}`;

export const KEY_COUNT = 'count/keys';
export const keyName = (keyId: string) => `key/${keyId}`;
/** The ids of the keys with one secret. */
export const secretName = (secret: string) => `secret/${secret}`;
export const exportName = ({ orgId, requestId }: Pick<Export, 'orgId' | 'requestId'>) => `export/${orgId}/${requestId}`;
/** True for a key that was made while its organisation had a charter. */
export const charteredKeyName = (orgId: string, keyId: string) => `chartered-key/${orgId}/${keyId}`;
export const exportedName = (orgId: string, keyId: string) => `exported/${orgId}/${keyId}`;
export const DEK_PREFIX = 'dek/';
export const dekName = (dekId: string) => `${DEK_PREFIX}${dekId}`;
/** The id of the data key that seals the organisation's new keys. */
export const presentDekName = (orgId: string) => `present-dek/${orgId}`;
export const dekRequestName = (orgId: string, requestId: string) => `dek-request/${orgId}/${requestId}`;

/**
 * A master key may have a hundred thousand children, so their ids are stored in parts, and a new child rewrites only one part.
 */
const CHILDREN_IN_PART = 256;
const childCountName = (parentKeyId: string) => `children/${parentKeyId}`;
const childPartName = (parentKeyId: string, part: number) => `children/${parentKeyId}/${part}`;

type Facts = Pick<Index, 'get' | 'put'>;

export function* childrenOf(index: Pick<Index, 'get'>, parentKeyId: string): Generator<string> {
  const count = index.get<number>(childCountName(parentKeyId)) ?? 0;
  for (let part = 0; part * CHILDREN_IN_PART < count; part += 1)
    yield* index.get<readonly string[]>(childPartName(parentKeyId, part)) ?? [];
}

function addChild(index: Facts, parentKeyId: string, keyId: string): void {
  const count = index.get<number>(childCountName(parentKeyId)) ?? 0;
  const part = childPartName(parentKeyId, Math.floor(count / CHILDREN_IN_PART));
  index.put(part, [...(index.get<readonly string[]>(part) ?? []), keyId]);
  index.put(childCountName(parentKeyId), count + 1);
}

function addSealed(index: Facts, sealed: SealedKeyRow, origin?: Origin): void {
  const { keyId } = sealed;
  const known = index.get<KeyRecord>(keyName(keyId));
  const record: KeyRecord = { sealed, origin: origin ?? known?.origin };
  index.put(keyName(keyId), record);
  if (known === undefined) index.put(KEY_COUNT, (index.get<number>(KEY_COUNT) ?? 0) + 1);
  if (origin && 'parentKeyId' in origin && known?.origin === undefined) addChild(index, origin.parentKeyId, keyId);
  const secret = secretName(secretOf(sealed));
  const ids = index.get<readonly string[]>(secret) ?? [];
  if (!ids.includes(keyId)) index.put(secret, [...ids, keyId]);
}

function addDek(index: Facts, dek: DekRow, isRewrapped: boolean): void {
  const isNew = index.get(dekName(dek.dekId)) === undefined;
  // A key may be created with a data key row that was read before a rotation. That row must not replace the newer wrapping.
  if (isNew || isRewrapped) index.put(dekName(dek.dekId), dek);
  if (isNew) index.put(presentDekName(dek.orgId), dek.dekId);
}

export function applyKeyCreated(index: Facts, { created: { sealed, dek }, origin, holding }: KeyCreatedEntry): void {
  const { orgId, keyId } = sealed;
  const isNew = index.get(keyName(keyId)) === undefined;
  if (isNew && holding !== undefined) applyHolding(index, sealed, holding);
  if (isNew && index.get(charterName(orgId)) !== undefined) index.put(charteredKeyName(orgId, keyId), true);
  addDek(index, dek, false);
  addSealed(index, sealed, origin);
}

export function applyKeyExported(index: Facts, { exported }: KeyExportedEntry): void {
  index.put(exportName(exported), exported);
  const { orgId, keyId, requestId, action } = exported;
  index.put(exportedName(orgId, keyId), true);
  if (action !== undefined) index.put(actionName(orgId, action), requestId);
}

export function applyDataKey(index: Facts, { dek, requestId }: DataKeyEntry): void {
  addDek(index, dek, true);
  if (requestId !== undefined) index.put(dekRequestName(dek.orgId, requestId), dek.dekId);
}

export function applyKeyResealed(index: Facts, { resealed }: KeyResealedEntry): void {
  addSealed(index, resealed);
}
