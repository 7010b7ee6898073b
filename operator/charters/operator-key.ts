import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { CHARTER_CODE } from '../../signer/wire/operator-api';
import { createPrivateText } from './private-text';

const RAW_BYTES = 32;

/** The form of `SIGNER_OPERATOR_KEY`. */
export const publicHexOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES).toString('hex');

/** Writes the private half and returns the public half in hex. */
export async function makeOperatorKey(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await createPrivateText(path, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  return publicHexOf(privateKey);
}

/** Throws unless the file contains an Ed25519 key and only the file's owner can read it. */
export function readOperatorKey(path: string): KeyObject {
  const pem = CHARTER_CODE.readPrivateFile(path);
  if (!Buffer.isBuffer(pem)) throw new Error(pem.fault);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // A text that is not a key causes the same error as a key of a different kind.
  } finally {
    pem.fill(0);
  }
  throw new Error(`${path} does not hold an Ed25519 private key in PEM`);
}

/** Throws unless the signer's own code accepts the signature. */
export function signCharter(text: string, key: KeyObject) {
  const signed = { charter: text, signature: sign(null, CHARTER_CODE.signedBytes(text), key).toString('base64') };
  const verifier = CHARTER_CODE.keyOf(Buffer.from(publicHexOf(key), 'hex'));
  if (!CHARTER_CODE.isSignedBy(verifier, signed)) throw new Error('The signature does not match its key.');
  return signed;
}
