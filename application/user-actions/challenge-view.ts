import { CREDENTIAL_KINDS, type CredentialKind } from '../../domain/credentials';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import type { RelyingParty } from '../../platform/passkeys';

type Shown = Pick<CredentialEntity, 'kind' | 'credentialId' | 'encryptedPrivateKey'>;

/**
 * `SigningChallenge` of the published interface, without the challenge itself. Encrypted private keys go only to a user who has
 * proved more than a name. The caller passes `known` if the client may not learn the kinds of `usable`.
 */
export function signingChallengeView(
  usable: readonly Shown[],
  rp: RelyingParty,
  withEncryptedKeys: boolean,
  known: readonly CredentialKind[] = usable.map(({ kind }) => kind),
) {
  const kinds = [...new Set(known)].filter((kind) => CREDENTIAL_KINDS[kind].factor !== 'none');
  const listed = (wanted: CredentialKind) => usable.filter(({ kind }) => kind === wanted);
  const named = ({ credentialId }: Shown) => ({ type: 'public-key' as const, id: credentialId });
  const encrypted = (credential: Shown) =>
    credential.encryptedPrivateKey === null
      ? []
      : [{ ...named(credential), encryptedPrivateKey: credential.encryptedPrivateKey }];
  return {
    rp: { id: rp.id, name: rp.name },
    supportedCredentialKinds: kinds.map((kind) => {
      const { factor, requiresSecondFactor } = CREDENTIAL_KINDS[kind];
      return { kind, factor: factor as Exclude<typeof factor, 'none'>, requiresSecondFactor };
    }),
    userVerification: 'required' as const,
    attestation: 'direct' as const,
    allowCredentials: {
      key: listed('Key').map(named),
      passwordProtectedKey: withEncryptedKeys ? listed('PasswordProtectedKey').flatMap(encrypted) : [],
      webauthn: listed('Fido2').map(named),
    },
    externalAuthenticationUrl: '',
  };
}
