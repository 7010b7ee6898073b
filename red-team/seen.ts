import type { Signatory, SigningPlace } from '../bench/signatory';
import { VERIFIER_ORIGIN } from '../platform/seen-assertions';
import type { CharterSeen } from '../signer/charters/charter';

/** The page on which passkeys of the organisation see what they sign. */
const PAGE = 'https://check.localhost';
const VERIFIER = { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) };

/** What the charter demands: everything that an order can come from. */
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

/** Members of client data with which an assertion of this kind is seen. */
export const seenPlace = (kind: 'Fido2' | 'Key'): Partial<SigningPlace> => (kind === 'Key' ? VERIFIER : { origin: PAGE });

/** The person in a client that shows what is signed. */
export const seeing = (person: Signatory): Signatory => ({
  ...person,
  answer: (challenge, place) => person.answer(challenge, { ...seenPlace(person.credential.kind), ...place }),
});
