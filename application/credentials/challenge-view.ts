import type { CredentialKind } from '../../domain/credentials';
import type { RelyingParty } from '../../platform/passkeys';
import { newCredentialView, otpUrlOf } from './new-challenge-view';
import type { Offer } from './new-credentials';

type Person = Parameters<typeof newCredentialView>[1];
type Existing = Parameters<typeof newCredentialView>[2];

/** The interface calls this view `CredentialChallenge`. */
export function credentialChallengeView(
  kind: CredentialKind,
  rp: RelyingParty,
  person: Person,
  existing: Existing,
  { challenge, seed }: Offer,
  challengeIdentifier: string,
) {
  const { authenticatorSelection, excludeCredentials, attestation, pubKeyCredParams, ...common } = newCredentialView(
    rp,
    person,
    existing,
  );
  // Old clients require `temporaryAuthenticationToken`. The member repeats the challenge's id and authorises nothing.
  const named = { ...common, challengeIdentifier, temporaryAuthenticationToken: challengeIdentifier };
  const signing = { challenge, attestation, pubKeyCredParams };
  switch (kind) {
    case 'Fido2':
      return { kind, ...named, ...signing, authenticatorSelection, excludeCredentials };
    case 'Password':
      return { kind, ...named };
    case 'Totp':
      return { kind, ...named, otpUrl: otpUrlOf(rp, person, seed) };
    default:
      return { kind, ...named, ...signing };
  }
}
