import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { newId } from '../../platform/ids';
import type { DekRow, SealedKeyRow } from '../protocol';
import { Refusal } from '../wire/refusal';
import { lengthPrefixed, openSealed, seal } from './aead';
import { type KekPlace, type KekProvider, KekUnavailable } from './kek';

const SECRET_BYTES = 32;

type KeyPlace = Omit<SealedKeyRow, 'ciphertextHex'>;

const derive = (dek: Buffer, info: string, salt = '') => Buffer.from(hkdfSync('sha256', dek, salt, info, SECRET_BYTES));
const placeOf = ({ orgId, dekId, kekId }: Pick<DekRow, 'orgId' | 'dekId' | 'kekId'>): KekPlace => ({
  purpose: 'wallet/dek/v1',
  orgId,
  dekId,
  kekId,
});
const keyAad = (row: KeyPlace) =>
  lengthPrefixed('wallet/key/v1', row.orgId, row.keyId, row.scheme, row.curve, row.publicKeyHex, row.dekId);

/** Returns the wrapped data key, and wipes the plain data key. */
export async function createDek(kek: KekProvider, orgId: string): Promise<DekRow> {
  const dek = randomBytes(SECRET_BYTES);
  try {
    return await wrapDek(kek, dek, { orgId, dekId: newId('dataKey'), commitHex: derive(dek, 'commit').toString('hex') });
  } finally {
    dek.fill(0);
  }
}

async function wrapDek(
  kek: KekProvider,
  dek: Buffer,
  { orgId, dekId, commitHex }: Pick<DekRow, 'orgId' | 'dekId' | 'commitHex'>,
): Promise<DekRow> {
  const place = { orgId, dekId, kekId: kek.id };
  return { ...place, wrappedHex: (await kek.wrap(dek, placeOf(place))).toString('hex'), commitHex };
}

/**
 * The caller wipes the result. Throws `EnvelopeRejected` if the row belongs to another organisation or was altered. Throws
 * `KekUnavailable` while the key-encryption key of the row is unavailable.
 */
export async function openDek(kek: KekProvider, row: DekRow, orgId: string): Promise<Buffer> {
  if (row.orgId !== orgId) throw new Refusal('EnvelopeRejected');
  const dek = await unwrap(kek, row);
  const commit = Buffer.from(row.commitHex, 'hex');
  // A GCM ciphertext can be made to open under two keys, so the commitment binds the ciphertext to this data key.
  if (commit.length === SECRET_BYTES && timingSafeEqual(derive(dek, 'commit'), commit)) return dek;
  dek.fill(0);
  throw new Refusal('EnvelopeRejected');
}

async function unwrap(kek: KekProvider, row: DekRow): Promise<Buffer> {
  try {
    return await kek.unwrap(Buffer.from(row.wrappedHex, 'hex'), placeOf(row));
  } catch (error) {
    // An unavailable key service does not make the order invalid, so the order is retried and not refused for good.
    throw error instanceof KekUnavailable ? error : new Refusal('EnvelopeRejected');
  }
}

/** Wraps the data key under the active key-encryption key. Throws the same errors as `openDek`. */
export async function rewrapDek(kek: KekProvider, row: DekRow): Promise<DekRow> {
  const dek = await openDek(kek, row, row.orgId);
  try {
    return await wrapDek(kek, dek, row);
  } finally {
    dek.fill(0);
  }
}

export function sealKey(dek: Buffer, place: KeyPlace, secret: Buffer): SealedKeyRow {
  const key = derive(dek, 'wallet-key', place.keyId);
  try {
    return { ...place, ciphertextHex: seal(key, secret, keyAad(place)).toString('hex') };
  } finally {
    key.fill(0);
  }
}

/** The ciphertext and associated data. Throws `EnvelopeRejected` unless the row belongs to the key that the order names. */
export function sealedPartsOf(row: SealedKeyRow, order: { orgId: string; keyId: string }): { bytes: Buffer; aad: Buffer } {
  if (row.orgId !== order.orgId || row.keyId !== order.keyId) throw new Refusal('EnvelopeRejected');
  return { bytes: Buffer.from(row.ciphertextHex, 'hex'), aad: keyAad(row) };
}

/**
 * The caller wipes the result. Throws `EnvelopeRejected` if the row does not belong to the key of the order or does not open.
 */
export function openKey(dek: Buffer, row: SealedKeyRow, order: { orgId: string; keyId: string }): Buffer {
  const { bytes, aad } = sealedPartsOf(row, order);
  const key = derive(dek, 'wallet-key', order.keyId);
  try {
    return openSealed(key, bytes, aad);
  } catch {
    throw new Refusal('EnvelopeRejected');
  } finally {
    key.fill(0);
  }
}
