import { randomBytes } from 'node:crypto';
import { CREDENTIAL_KINDS } from '../../domain/credentials';
import { AppError } from '../../domain/errors';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { newId } from '../../platform/ids';
import { newSeed } from '../../platform/one-time-passwords';
import type { IdentityServices } from '../users/identity-services';
import { type Attestation, type AttestedCredential, attest, type ExpectedAttestation, seedContext } from './attestations';

const CHALLENGE_BYTES = 32;

/** The challenge's row stores only the sealed seed; the person gets the seed itself. */
export type Offer = { readonly challenge: string; readonly seed: string; readonly sealedSeed: string };

export function offerCredentials({ credentialSecrets }: Pick<IdentityServices, 'credentialSecrets'>, orgId: string): Offer {
  const seed = newSeed();
  return {
    challenge: randomBytes(CHALLENGE_BYTES).toString('base64url'),
    seed,
    sealedSeed: credentialSecrets.seal(seed, seedContext(orgId)),
  };
}

/** The interface calls this type `RegistrationBody`. */
export type NewCredentials = {
  readonly firstFactorCredential: Attestation;
  readonly secondFactorCredential?: Attestation | undefined;
  readonly recoveryCredential?: Attestation | undefined;
};

/** The first element is the first factor. */
type AttestedCredentials = readonly [AttestedCredential, ...AttestedCredential[]];

/**
 * Throws `AttestationInvalid` if a credential is invalid, or if two credentials have the same key or id. Throws the same error
 * if the credentials together do not suffice to sign in.
 */
export async function attestAll(
  services: IdentityServices,
  orgId: string,
  expected: ExpectedAttestation,
  { firstFactorCredential, secondFactorCredential, recoveryCredential }: NewCredentials,
): Promise<AttestedCredentials> {
  const { requiresSecondFactor } = CREDENTIAL_KINDS[firstFactorCredential.credentialKind];
  if (requiresSecondFactor && !secondFactorCredential) throw unusable('A password needs a second factor');
  const first = await attest(services, orgId, expected, firstFactorCredential);
  const others: AttestedCredential[] = [];
  for (const attestation of [secondFactorCredential, recoveryCredential]) {
    if (attestation) others.push(await attest(services, orgId, expected, attestation));
  }
  const all = [first, ...others] as const;
  assertDistinct(all);
  return all;
}

/**
 * Throws `AttestationInvalid` if two credentials have the same key or id. Two factors with one key are only one factor. A
 * recovery key that is also used as a factor would be lost together with the factor.
 */
function assertDistinct(all: AttestedCredentials): void {
  const keys = all.flatMap(({ publicKey }) => (publicKey === '' ? [] : [publicKey]));
  const ids = all.map(({ credentialId }) => credentialId);
  if (new Set(keys).size < keys.length || new Set(ids).size < ids.length)
    throw unusable('Each credential needs a key of its own');
}

/** Returns the row ids, with the first factor's id first. Throws `AttestationInvalid` if a credential id is taken. */
export async function addCredentials(
  tx: Tx,
  userId: string,
  [first, ...others]: AttestedCredentials,
): Promise<readonly [string, ...string[]]> {
  const firstId = await addCredential(tx, userId, first);
  const ids: string[] = [];
  for (const other of others) ids.push(await addCredential(tx, userId, other));
  return [firstId, ...ids];
}

async function addCredential(tx: Tx, userId: string, attested: AttestedCredential): Promise<string> {
  const id = newId('credential');
  if (!(await credentialStore.addOnce(tx, { id, userId, isTokenBound: false, ...attested }))) {
    throw unusable('The credential id is already in use');
  }
  return id;
}

const unusable = (message: string) => new AppError('AttestationInvalid', message);
