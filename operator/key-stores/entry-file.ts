import { type KeyObject, sign } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { CHARTER_CODE, KEY_STORE_CODE, type KeyStoreEntry, type SignedKeyStoreEntry } from '../../signer/wire/operator-api';
import { publicHexOf } from '../charters/operator-key';

async function bytesOf(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > KEY_STORE_CODE.bytesMax) throw new Error(`${path} is too long for an entry about a key store`);
  return readFile(path);
}

type Read = { readonly text: string; readonly entry: KeyStoreEntry };

/** The text of a draft. */
export async function readDraftEntry(path: string): Promise<Read> {
  const text = (await bytesOf(path)).toString('utf8');
  const entry = KEY_STORE_CODE.read(text);
  if (!entry) throw new Error(`${path} does not hold an entry about a key store`);
  return { text, entry };
}

/** Does not check the signature. */
export async function readSignedEntry(path: string): Promise<Read & { readonly signed: SignedKeyStoreEntry }> {
  const signed = KEY_STORE_CODE.readSigned(await bytesOf(path));
  const entry = signed && KEY_STORE_CODE.read(signed.entry);
  if (!entry) throw new Error(`${path} does not hold a signed entry about a key store`);
  return { signed, text: signed.entry, entry };
}

/** Throws unless the signer's own code accepts the signature. */
export function signEntry(text: string, key: KeyObject): SignedKeyStoreEntry {
  const signed = { entry: text, signature: sign(null, KEY_STORE_CODE.signedBytes(text), key).toString('base64') };
  const verifier = CHARTER_CODE.keyOf(Buffer.from(publicHexOf(key), 'hex'));
  if (!KEY_STORE_CODE.isSignedBy(verifier, signed)) throw new Error('The signature does not match its key.');
  return signed;
}
