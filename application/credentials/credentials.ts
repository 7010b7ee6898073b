import type { Caller } from '../../domain/callers';
import { activeMax, canDoWithout } from '../../domain/credentials';
import { AppError, invariant } from '../../domain/errors';
import { sessionStore } from '../../entities/access-tokens/session.store';
import type { ChallengeEntity } from '../../entities/challenges/challenge.entity';
import { challengeStore } from '../../entities/challenges/challenge.store';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Reader, Tx } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { oneTimeCodeStore } from '../../entities/one-time-codes/one-time-code.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import { recordAmendment } from '../amendments/record-amendment';
import { type Authority, act } from '../user-actions/act';
import { challengeInvalid } from '../user-actions/user-actions';
import { credentialView } from '../users/view';
import { type Attestation, type AttestedCredential, attest } from './attestations';
import type { CredentialServices, CredentialWay } from './credential-challenges';

/** Lists the oldest credential first. */
export async function listCredentials(reader: Reader, userId: string) {
  return (await credentialStore.listOfUser(reader, userId)).map(credentialView);
}

type New = { readonly challengeIdentifier: string; readonly attestation: Attestation };

/**
 * Throws `AttestationInvalid` and `Conflict`. Throws `ChallengeInvalid` for a used or expired challenge, and unless the caller
 * began the challenge in a session and for this kind of credential.
 */
export async function createCredential(services: CredentialServices, authority: Authority, asked: New) {
  const { challenge, attested } = await verifyNew(services, 'Session', asked, authority.caller);
  return act(services.db, authority, (tx) => complete(tx, challenge, attested));
}

/** Completes a challenge that was begun with a code. The credential belongs to the user of the challenge. */
export async function createCredentialWithCode(services: CredentialServices, asked: New) {
  const { challenge, attested } = await verifyNew(services, 'Code', asked);
  return services.db.withOrg(challenge.orgId, (tx) => complete(tx, challenge, attested));
}

/** `caller`, if known, must have begun the challenge. */
async function verifyNew(
  services: CredentialServices,
  way: CredentialWay,
  { challengeIdentifier, attestation }: New,
  caller?: Pick<Caller, 'orgId' | 'userId'>,
) {
  const claims = await services.tokens.verify('ceremony', challengeIdentifier);
  if (!claims || (caller && (claims.orgId !== caller.orgId || claims.userId !== caller.userId))) throw challengeInvalid();
  const challenge = await challengeStore.findOpen(services.db.read(claims.orgId), claims.id, 'Credential');
  if (!challenge || challenge.data['way'] !== way || challenge.data['kind'] !== attestation.credentialKind) {
    throw challengeInvalid();
  }
  const { sealedSeed } = challenge.data;
  const expected = { challenge: challenge.challenge, ...(typeof sealedSeed === 'string' ? { sealedSeed } : {}) };
  return { challenge, attested: await attest(services, challenge.orgId, expected, attestation) };
}

/** Uses up the challenge, so that exactly one of several completions succeeds. */
async function complete(tx: Tx, { id: challengeId, userId }: ChallengeEntity, attested: AttestedCredential) {
  const user = userId === null ? undefined : await userStore.lock(tx, userId);
  const mayCome = user?.isActive && user.dateArchived === null;
  if (!user || !mayCome || !(await challengeStore.consume(tx, challengeId))) throw challengeInvalid();
  await assertRoom(tx, user.id, attested.kind);
  await assertNewKey(tx, user.id, attested);
  const id = newId('credential');
  if (!(await credentialStore.addOnce(tx, { id, userId: user.id, isTokenBound: false, ...attested }))) {
    throw new AppError('Conflict', 'The credential id is already in use');
  }
  await touch(tx, user);
  return shown(tx, user.id, id);
}

async function assertRoom(tx: Tx, userId: string, kind: CredentialEntity['kind']): Promise<void> {
  const active = (await credentialStore.listUsable(tx, userId, undefined)).filter((one) => one.kind === kind);
  const most = activeMax(kind);
  if (active.length >= most) throw new AppError('Conflict', `A user has at most ${most} active credentials of kind ${kind}`);
}

/** Throws `Conflict` for a key that the user already has. One key in two credentials would look like two factors. */
async function assertNewKey(tx: Tx, userId: string, { publicKey }: AttestedCredential): Promise<void> {
  const known = publicKey === '' ? [] : await credentialStore.listOfUser(tx, userId);
  if (known.some((one) => one.publicKey === publicKey)) {
    throw new AppError('Conflict', 'The user already has a credential with this key');
  }
}

/**
 * Throws `NotFound`. Throws `Conflict` if the user has too many active credentials of the kind. Throws `LastCredential` for the
 * last credential that can sign or log in. Idempotent.
 */
export function setCredentialActive({ db }: Pick<CredentialServices, 'db'>, authority: Authority, id: string, isActive: boolean) {
  return act(db, authority, async (tx, userActionId) => {
    const { user, credential } = await lock(tx, authority, id);
    if (credential.isActive === isActive) return;
    if (isActive) {
      await assertRoom(tx, user.id, credential.kind);
      await credentialStore.setActive(tx, id, true);
      await touch(tx, user);
    } else {
      await assertDispensable(tx, credential);
      await credentialStore.setActive(tx, id, false);
      await endWhatItOpened(tx, user, credential);
      if (await countsAtSigner(tx, user, credential)) await recordAmendment(tx, { kind: 'deactivateCredential', userActionId });
    }
  });
}

/** Throws `NotFound`. Throws `LastCredential` for the last credential that can sign or log in. */
export function removeCredential({ db }: Pick<CredentialServices, 'db'>, authority: Authority, id: string): Promise<void> {
  return act(db, authority, async (tx, userActionId) => {
    const { user, credential } = await lock(tx, authority, id);
    if (credential.isActive) await assertDispensable(tx, credential);
    await credentialStore.remove(tx, id);
    await endWhatItOpened(tx, user, credential);
    if (await countsAtSigner(tx, user, credential)) await recordAmendment(tx, { kind: 'deleteCredential', userActionId });
  });
}

/** The signer accepts the credentials of members, and of end users who hold a key. */
const countsAtSigner = async (tx: Tx, user: UserEntity, { kind }: CredentialEntity): Promise<boolean> =>
  (kind === 'Fido2' || kind === 'Key') && (user.kind !== 'EndUser' || (await keyStore.isHolder(tx, user.id)));

/** Locks the user first, so that the second of two concurrent removals sees the result of the first. */
async function lock(tx: Tx, { caller }: Authority, id: string) {
  const user = await userStore.lock(tx, caller.userId);
  invariant(user, 'a caller is a user');
  const credential = await credentialStore.lockOfUser(tx, caller.userId, id);
  if (!credential) throw new AppError('NotFound', 'credential not found', { credentialUuid: id });
  return { user, credential };
}

async function assertDispensable(tx: Tx, { id, userId, kind }: CredentialEntity): Promise<void> {
  const usable = await credentialStore.listUsable(tx, userId, undefined);
  const remaining = usable.filter((one) => one.id !== id).map((one) => one.kind);
  if (!canDoWithout(kind, remaining)) {
    throw new AppError('LastCredential', 'The last credential that can sign or log in cannot be deactivated or removed');
  }
}

/**
 * Ends the sessions that a credential opened. Also voids the user's open codes and challenges for new credentials, because a
 * thief of this credential may have begun a new credential.
 */
async function endWhatItOpened(tx: Tx, user: UserEntity, { id: credentialUuid }: CredentialEntity): Promise<void> {
  await sessionStore.endOpenedBy(tx, { userId: user.id, credentialUuid });
  await oneTimeCodeStore.voidOpen(tx, user.id, 'Credential');
  await challengeStore.voidOpen(tx, user.id, 'Credential');
  await touch(tx, user);
}

/**
 * Restarts the user's waiting time as an approver, because the credentials that sign have changed (S10). If the credential in the
 * user's row is no longer usable, the row gets another credential of the user.
 */
async function touch(tx: Tx, user: UserEntity): Promise<void> {
  const usable = await credentialStore.listUsable(tx, user.id, undefined);
  const isThere = usable.some(({ id }) => id === user.credentialUuid);
  const credentialUuid = isThere ? user.credentialUuid : (usable[0]?.id ?? user.credentialUuid);
  await userStore.change(tx, user, { dateCredentialsChanged: await tx.clock(), credentialUuid });
}

async function shown(tx: Tx, userId: string, id: string) {
  const credential = (await credentialStore.listOfUser(tx, userId)).find((one) => one.id === id);
  invariant(credential, 'a credential that was written exists');
  return credentialView(credential);
}
