import { FIRST_FACTOR_KINDS, SECOND_FACTOR_KINDS } from '../../domain/credentials';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import type { UserEntity } from '../../entities/users/user.entity';
import { seedUrl } from '../../platform/one-time-passwords';
import { PASSKEY_ALGORITHMS, type RelyingParty } from '../../platform/passkeys';

type Named = Pick<UserEntity, 'id' | 'username' | 'name'>;

/** The list of existing passkeys keeps an authenticator from creating a second passkey. */
export function newCredentialView(
  rp: RelyingParty,
  user: Named,
  existing: readonly Pick<CredentialEntity, 'kind' | 'credentialId'>[],
) {
  return {
    user: { id: user.id, name: user.username, displayName: user.name },
    rp: { id: rp.id, name: rp.name },
    authenticatorSelection: {
      residentKey: 'preferred' as const,
      requireResidentKey: false,
      userVerification: 'required' as const,
    },
    attestation: 'direct' as const,
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: existing
      .filter(({ kind }) => kind === 'Fido2')
      .map(({ credentialId }) => ({ type: 'public-key' as const, id: credentialId })),
  };
}

export const SUPPORTED_KINDS = { firstFactor: [...FIRST_FACTOR_KINDS], secondFactor: [...SECOND_FACTOR_KINDS] };

/** The URI contains the seed, so only the owner of the seed may get the URI. */
export const otpUrlOf = (rp: RelyingParty, { username }: Pick<Named, 'username'>, seed: string): string =>
  seedUrl(seed, username, rp.name);
