import { createPrivateKey, type KeyObject } from 'node:crypto';
import { plain } from '../operator/charters/plain';
import { readPrivateFile } from '../signer/keys/key-file';
import { WrongUsage } from './not-verified';

/** Throws `WrongUsage` unless the file holds a private key in PEM that only its owner can read. */
export function privateKeyIn(path: string): KeyObject {
  const pem = readPrivateFile(path);
  if (!Buffer.isBuffer(pem)) throw new WrongUsage(`${plain(pem.fault)}.`);
  try {
    return createPrivateKey(pem);
  } catch {
    throw new WrongUsage(`${plain(path)} does not hold an unencrypted private key in PEM.`);
  } finally {
    pem.fill(0);
  }
}
