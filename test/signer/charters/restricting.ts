import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { charterDigest } from '../../../signer/charters/charter';
import { type Restriction, restrictionBytes, type SignedRestriction } from '../../../signer/charters/restriction';
import { charterNow } from '../judging/amendments/amending';
import { type Chartered, keyHolder, type Person } from './chartered';

const signatureOf = (key: KeyObject, text: string): string =>
  sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', restrictionBytes(text), key).toString('base64');

export type Signer = Person & { readonly signed: (text: string) => SignedRestriction };

/** A person with a key of the kind `Key` that signs restrictions. */
export function restricter(name: string, keys = generateKeyPairSync('ed25519')): Signer {
  const person = keyHolder(name, keys);
  const signed = (restriction: string): SignedRestriction => ({
    restriction,
    credentialId: person.credential.id,
    signature: signatureOf(keys.privateKey, restriction),
  });
  return { ...person, signed };
}

/** The text of a restriction that changes the charter in force. */
export const restrictionText = (office: Chartered, by: Person, changes: Partial<Restriction>): string =>
  JSON.stringify({
    v: 1,
    signerId: office.charter.signerId,
    organizationId: office.charter.organizationId,
    charter: charterDigest(JSON.stringify(charterNow(office))),
    dateIssued: new Date(office.clock.nowMs).toISOString(),
    by: by.userId,
    removes: [],
    ...changes,
  });
