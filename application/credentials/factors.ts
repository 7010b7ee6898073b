import { CREDENTIAL_KINDS, type CredentialKind } from '../../domain/credentials';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { isSignedByKey, type KeyAssertion } from '../../platform/key-assertions';
import { stepOf } from '../../platform/one-time-passwords';
import { type PasskeyAssertion, verifyPasskeyAssertion } from '../../platform/passkeys';
import { verifyPassword } from '../../platform/passwords';
import type { Guessed } from '../login/lockout';
import type { IdentityServices } from '../users/identity-services';
import { seedContext } from './attestations';

type SignedFactor =
  | { readonly kind: 'Key' | 'PasswordProtectedKey'; readonly credentialAssertion: KeyAssertion }
  | { readonly kind: 'Fido2'; readonly credentialAssertion: PasskeyAssertion };
export type FirstFactor = SignedFactor | { readonly kind: 'Password'; readonly password: string };
export type SecondFactor = SignedFactor | { readonly kind: 'Totp'; readonly otpCode: string };

/** The interface calls this type `SignedChallengeBody`. */
export type Factors = { readonly firstFactor: FirstFactor; readonly secondFactor?: SecondFactor | undefined };

/** All members except `use` are stored as evidence, which contains no secrets. */
export type VerifiedFactor = {
  readonly kind: CredentialKind;
  readonly credentialUuid: string;
  readonly publicKey: string | null;
  readonly clientData: string | null;
  readonly signature: string | null;
  readonly authenticatorData: string | null;
  /**
   * Uses up a factor that can be used only once. Returns false if the factor was already used, or if its credential is no
   * longer usable.
   */
  readonly use: (tx: Tx) => Promise<boolean>;
};

export type VerifiedFactors = { readonly first: VerifiedFactor; readonly second: VerifiedFactor | undefined };

type Asked = {
  readonly orgId: string;
  readonly challenge: string;
  readonly usable: readonly CredentialEntity[];
};

/** Returns undefined for every failure, and uses up no factor. */
export async function verifyFactors(
  services: IdentityServices,
  asked: Asked,
  { firstFactor, secondFactor }: Factors,
): Promise<VerifiedFactors | undefined> {
  const first = await verifyFactor(services, asked, firstFactor);
  const second = secondFactor && (await verifyFactor(services, asked, secondFactor));
  if (!first || (secondFactor && !second) || first.credentialUuid === second?.credentialUuid) return undefined;
  if (CREDENTIAL_KINDS[first.kind].requiresSecondFactor && !second) return undefined;
  return { first, second };
}

/** If this function returns false, the caller must throw, so that neither factor is used up. */
export async function useFactors(tx: Tx, { first, second }: VerifiedFactors): Promise<boolean> {
  return (await first.use(tx)) && (second === undefined || (await second.use(tx)));
}

function verifyFactor(
  services: IdentityServices,
  asked: Asked,
  factor: FirstFactor | SecondFactor,
): Promise<VerifiedFactor | undefined> {
  switch (factor.kind) {
    case 'Fido2':
      return verifyPasskey(services, asked, factor.credentialAssertion);
    // Only guessable factors are paused after wrong guesses: a pause must not lock out the owner of a passkey or a key.
    case 'Password':
      return services.lockout.guess(guessedOf(asked, factor.kind), () => verifyKnown(asked, factor.password));
    case 'Totp':
      return services.lockout.guess(guessedOf(asked, factor.kind), () => verifyCode(services, asked, factor.otpCode));
    default:
      return verifyKey(asked, factor.kind, factor.credentialAssertion);
  }
}

const guessedOf = ({ orgId, usable }: Asked, kind: string): Guessed => ({ orgId, userId: usable[0]?.userId, kind });

/** Whether a usable recovery key has signed the challenge. */
export async function verifyRecoveryKey(asked: Asked, assertion: KeyAssertion): Promise<boolean> {
  return (await verifyKey(asked, 'RecoveryKey', assertion)) !== undefined;
}

const find = ({ usable }: Asked, kind: CredentialKind, credId: string) =>
  usable.find((credential) => credential.kind === kind && credential.credentialId === credId);

async function verifyKey(
  asked: Asked,
  kind: CredentialKind,
  { credId, clientData, signature, algorithm }: KeyAssertion,
): Promise<VerifiedFactor | undefined> {
  const credential = find(asked, kind, credId);
  if (!credential || !isSignedByKey(credential.publicKey, asked.challenge, { clientData, signature, algorithm }))
    return undefined;
  const { id: credentialUuid, publicKey } = credential;
  const use = (tx: Tx) => credentialStore.isUsable(tx, credentialUuid);
  return { kind, credentialUuid, publicKey, clientData, signature, authenticatorData: null, use };
}

async function verifyPasskey(
  { relyingParty }: IdentityServices,
  asked: Asked,
  assertion: PasskeyAssertion,
): Promise<VerifiedFactor | undefined> {
  const credential = find(asked, 'Fido2', assertion.credId);
  if (!credential) return undefined;
  const { id: credentialUuid, publicKey } = credential;
  const stored = { credentialId: credential.credentialId, publicKey, signCount: Number(credential.signCount) };
  const signCount = await verifyPasskeyAssertion(relyingParty, asked.challenge, stored, assertion);
  if (signCount === undefined) return undefined;
  const { clientData, signature, authenticatorData } = assertion;
  const use = (tx: Tx) => credentialStore.countSignature(tx, credentialUuid, signCount);
  return { kind: 'Fido2', credentialUuid, publicKey, clientData, signature, authenticatorData, use };
}

const NO_EVIDENCE = { publicKey: null, clientData: null, signature: null, authenticatorData: null } as const;

async function verifyKnown({ usable }: Asked, password: string): Promise<VerifiedFactor | undefined> {
  const [known, ...others] = usable.filter(({ kind }) => kind === 'Password');
  // The first comparison also runs for an unknown user, so that the response takes equally long.
  let fitting = (await verifyPassword(known?.secret ?? undefined, password)) ? known : undefined;
  for (const other of others) {
    if (!fitting && (await verifyPassword(other.secret ?? undefined, password))) fitting = other;
  }
  if (!fitting) return undefined;
  const credentialUuid = fitting.id;
  return { kind: 'Password', credentialUuid, ...NO_EVIDENCE, use: (tx) => credentialStore.isUsable(tx, credentialUuid) };
}

async function verifyCode(
  { credentialSecrets }: IdentityServices,
  { usable, orgId }: Asked,
  otpCode: string,
): Promise<VerifiedFactor | undefined> {
  for (const { kind, id: credentialUuid, secret } of usable) {
    if (kind !== 'Totp' || secret === null) continue;
    const step = stepOf(credentialSecrets.open(secret, seedContext(orgId)), otpCode, Date.now());
    if (step === undefined) continue;
    return { kind, credentialUuid, ...NO_EVIDENCE, use: (tx) => credentialStore.useStep(tx, credentialUuid, step) };
  }
  return undefined;
}
