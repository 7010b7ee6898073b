import { randomBytes } from 'node:crypto';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { pemOf } from '../../platform/credential-keys';
import { newId } from '../../platform/ids';
import { withPath } from '../request-faults';
import { allowedKey } from './attestations';

const CREDENTIAL_ID_BYTES = 16;

/** Returns PEM. Throws `AttestationInvalid` with the path of the member in the body. */
export function tokenKey(publicKey: string): string {
  try {
    return pemOf(allowedKey(publicKey));
  } catch (error) {
    throw withPath('body.publicKey', error);
  }
}

/** Returns the row id of the credential. */
export async function addTokenCredential(tx: Tx, userId: string, name: string, publicKey: string): Promise<string> {
  const id = newId('credential');
  await credentialStore.add(tx, {
    id,
    userId,
    kind: 'Key',
    credentialId: randomBytes(CREDENTIAL_ID_BYTES).toString('base64url'),
    name,
    publicKey,
    encryptedPrivateKey: null,
    secret: null,
    signCount: '0',
    lastStep: null,
    relyingPartyId: '',
    origin: '',
    isTokenBound: true,
  });
  return id;
}
