import type { Caller } from '../../domain/callers';
import type { CredentialKind } from '../../domain/credentials';
import { AppError, invariant } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { challengeStore } from '../../entities/challenges/challenge.store';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { oneTimeCodeStore } from '../../entities/one-time-codes/one-time-code.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import type { TokenKeys } from '../../platform/token-keys';
import { issueCode } from '../login/one-time-codes';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import type { IdentityServices } from '../users/identity-services';
import { credentialChallengeView } from './challenge-view';
import { offerCredentials } from './new-credentials';

/** Long enough for the user to find a security key, and to sign the user action with another key. */
const COMPLETION_WINDOW_MS = 15 * 60_000;
const CODE_LIFETIME_MAX_MS = 60_000;
/** How far the caller's clock may be ahead if the caller requests the longest lifetime. */
const CODE_CLOCK_SKEW_MS = 5_000;

export type CredentialServices = Pick<Services, 'db'> & IdentityServices & { readonly tokens: TokenKeys };

/** How the user began the challenge. The user has to complete the challenge in the same way. */
export type CredentialWay = 'Session' | 'Code';

/** Only the completion needs a user action. */
export function beginCredential(services: CredentialServices, { orgId, userId }: Caller, kind: CredentialKind) {
  return services.db.withOrg(orgId, async (tx) => {
    const user = await userStore.find(tx, userId);
    invariant(user, 'a caller is a user');
    return begin(tx, services, user, kind, 'Session');
  });
}

/**
 * The code lets the caller begin an additional credential without a session. `expiration` may be at most a minute ahead; the
 * result contains the actual expiration. An earlier code becomes void. Throws `InvalidRequest`.
 */
export function createCredentialCode({ db, ...services }: CredentialServices, authority: Authority, expiration: Date) {
  return act(db, authority, async (tx) => {
    const nowMs = (await tx.clock()).getTime();
    const aheadMs = expiration.getTime() - nowMs;
    if (aheadMs <= 0) throw badExpiration('must be in the future');
    if (aheadMs > CODE_LIFETIME_MAX_MS + CODE_CLOCK_SKEW_MS) throw badExpiration('must be at most 1 minute ahead');
    const dateExpires = new Date(nowMs + Math.min(aheadMs, CODE_LIFETIME_MAX_MS));
    const { userId } = authority.caller;
    await userStore.lock(tx, userId);
    const code = await issueCode(tx, services, { userId, purpose: 'Credential' }, dateExpires);
    return { code, expiration: dateExpires.toISOString() };
  });
}

/**
 * Uses up the code. Throws the same `Forbidden` for an unknown, used or expired code, and for a user who may no longer log in.
 */
export async function beginCredentialWithCode(services: CredentialServices, code: string, kind: CredentialKind) {
  const { db, codeDigest, lockout } = services;
  // A wrong code is a guess at the codes of all users, so the guess is counted only for the caller's client address.
  const begun = await lockout.guess({ orgId: NO_ID, userId: undefined, kind: 'Credential' }, async (mayTry) => {
    const digest = codeDigest(mayTry ? code : '', 'Credential');
    const owner = await oneTimeCodeStore.findOwner(db, digest);
    // For an unknown code the same queries run, so that the response takes equally long.
    const { orgId, userId } = owner ?? { orgId: NO_ID, userId: NO_ID };
    return db.withOrg(orgId, async (tx) => {
      const user = await userStore.lock(tx, userId);
      const isGood = await oneTimeCodeStore.redeem(tx, { userId, purpose: 'Credential', codeDigest: digest });
      return user?.isActive && isGood ? begin(tx, services, user, kind, 'Code') : undefined;
    });
  });
  if (!begun) throw new AppError('Forbidden', 'Invalid code');
  return begun;
}

/** This id stands for the organisation and the user of an unknown code. */
const NO_ID = 'nobody';

async function begin(tx: Tx, services: CredentialServices, user: UserEntity, kind: CredentialKind, way: CredentialWay) {
  const { orgId } = tx;
  const existing = await credentialStore.listOfUser(tx, user.id);
  const offer = offerCredentials(services, orgId);
  const id = newId('challenge');
  const dateExpires = new Date((await tx.clock()).getTime() + COMPLETION_WINDOW_MS);
  const data = { kind, way, ...(kind === 'Totp' ? { sealedSeed: offer.sealedSeed } : {}) };
  await challengeStore.add(tx, { id, kind: 'Credential', userId: user.id, challenge: offer.challenge, data, dateExpires });
  const challengeIdentifier = await services.tokens.sign('ceremony', { id, userId: user.id, orgId }, dateExpires);
  return credentialChallengeView(kind, services.relyingParty, user, existing, offer, challengeIdentifier);
}

const badExpiration = (message: string) => fieldFault('body.expiration', message);
