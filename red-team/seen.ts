import type { Signatory, SigningPlace } from '../bench/signatory';
import { VERIFIER_ORIGIN } from '../platform/seen-assertions';
import type { CharterSeen } from '../signer/charters/charter';

/** The page that shows people the content that they sign with passkeys of the organisation. */
const PAGE = 'https://check.localhost';
const VERIFIER = { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) };

/** The charter demands seen signatures (made after the content was shown) for every operation that can lead to an order. */
export const SEEN: CharterSeen = {
  operations: [
    'transferAsset',
    'broadcastTransaction',
    'walletsGenerateSignature',
    'keysGenerateSignature',
    'createApprovalDecision',
    'releaseFreeze',
  ],
  origins: [PAGE],
};

/** The fields of client data with which an assertion of this kind is accepted as seen. */
export const seenPlace = (kind: 'Fido2' | 'Key'): Partial<SigningPlace> => (kind === 'Key' ? VERIFIER : { origin: PAGE });

/** Returns the same person with a client that shows the signed content. */
export const seeing = (person: Signatory): Signatory => ({
  ...person,
  answer: (challenge, place) => person.answer(challenge, { ...seenPlace(person.credential.kind), ...place }),
});
