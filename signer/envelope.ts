import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { newId } from '../platform/ids';
import { lengthPrefixed, openSealed, seal } from './aead';
import type { KekProvider } from './kek';
import type { DekRow, SealedKeyRow } from './protocol';

const SECRET_BYTES = 32;

type KeyPlace = Omit<SealedKeyRow, 'ciphertextHex'>;

const derive = (dek: Buffer, info: string, salt = '') => Buffer.from(hkdfSync('sha256', dek, salt, info, SECRET_BYTES));
const dekAad = (row: Omit<DekRow, 'wrappedHex' | 'commitHex'>) =>
  lengthPrefixed('wallet/dek/v1', row.orgId, row.dekId, row.kekId);
const keyAad = (row: KeyPlace) =>
  lengthPrefixed('wallet/key/v1', row.orgId, row.keyId, row.scheme, row.curve, row.publicKeyHex, row.dekId);

/** A fresh data key for an organisation, wrapped. The plain key is wiped before this returns. */
export async function createDek(kek: KekProvider, orgId: string): Promise<DekRow> {
  const dek = randomBytes(SECRET_BYTES);
  try {
    const place = { orgId, dekId: newId('dataKey'), kekId: kek.id };
    const commitHex = derive(dek, 'commit').toString('hex');
    const wrapped = await kek.wrap(dek, dekAad(place));
    return { ...place, wrappedHex: wrapped.toString('hex'), commitHex };
  } finally {
    dek.fill(0);
  }
}

/** The caller wipes the result. Throws when the row is not this organisation's, not under this KEK, or altered anywhere. */
export async function openDek(kek: KekProvider, row: DekRow, orgId: string): Promise<Buffer> {
  if (row.orgId !== orgId || row.kekId !== kek.id) throw new Error('the data key belongs elsewhere');
  const dek = await kek.unwrap(Buffer.from(row.wrappedHex, 'hex'), dekAad(row));
  const commit = Buffer.from(row.commitHex, 'hex');
  // GCM alone lets one ciphertext open under two keys: the commitment ties it to this one.
  if (commit.length === SECRET_BYTES && timingSafeEqual(derive(dek, 'commit'), commit)) return dek;
  dek.fill(0);
  throw new Error('the data key does not match its commitment');
}

export function sealKey(dek: Buffer, place: KeyPlace, secret: Buffer): SealedKeyRow {
  const key = derive(dek, 'wallet-key', place.keyId);
  try {
    return { ...place, ciphertextHex: seal(key, secret, keyAad(place)).toString('hex') };
  } finally {
    key.fill(0);
  }
}

/** Opens the key that the order names, whatever the row says of itself. The caller wipes the result. */
export function openKey(dek: Buffer, row: SealedKeyRow, order: { orgId: string; keyId: string }): Buffer {
  if (row.orgId !== order.orgId || row.keyId !== order.keyId) throw new Error('the sealed key belongs elsewhere');
  const key = derive(dek, 'wallet-key', order.keyId);
  try {
    return openSealed(key, Buffer.from(row.ciphertextHex, 'hex'), keyAad(row));
  } finally {
    key.fill(0);
  }
}
