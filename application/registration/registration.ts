import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { challengeStore } from '../../entities/challenges/challenge.store';
import type { Tx } from '../../entities/database';
import { oneTimeCodeStore } from '../../entities/one-time-codes/one-time-code.store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { recoveryStore } from '../../entities/recoveries/recovery.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import type { TokenClaims, TokenKeys } from '../../platform/token-keys';
import { unauthorized } from '../access-tokens/tokens';
import { newCredentialView, otpUrlOf, SUPPORTED_KINDS } from '../credentials/new-challenge-view';
import { addCredentials, attestAll, type NewCredentials, offerCredentials } from '../credentials/new-credentials';
import { codeDigestOf, redeemCode } from '../login/one-time-codes';
import { queueMail } from '../mails/mails';
import { assignDefaultEndUser } from '../permissions/managed-permissions';
import type { Services } from '../services';
import type { IdentityServices } from '../users/identity-services';
import { invite } from '../users/invitations';

/** Enough time for a person to find a security key and to write down a recovery key. */
const COMPLETION_WINDOW_MS = 30 * 60_000;

export type RegistrationServices = Pick<Services, 'db' | 'dispatcher'> & IdentityServices & { readonly tokens: TokenKeys };
/**
 * `reissueId` is the recovery that an operator has begun; absent in every other registration. `userActionId` is the signed action
 * that began the registration of an end user.
 */
const RegistrationData = z.object({
  sealedSeed: z.string(),
  reissueId: z.string().optional(),
  userActionId: z.string().optional(),
});
type Begun = Omit<z.infer<typeof RegistrationData>, 'sealedSeed'>;

type Named = { readonly orgId: string; readonly username: string };

/** Stands for an organisation or a user that does not exist, so that the same queries run. */
const NO_ID = 'nobody';

const isAwaited = (user: UserEntity | undefined): user is UserEntity =>
  user?.isActive === true && !user.isRegistered && !user.isServiceAccount && user.dateArchived === null;

/** End users do not receive codes by mail, because end users register through the customer's own server. */
const isInvited = (user: UserEntity | undefined): user is UserEntity => isAwaited(user) && user.kind !== 'EndUser';

/**
 * Writes the challenge for a person's first credentials and voids the person's previous challenge. The caller has identified
 * the person. Throws `UserExists` for a registered user.
 */
export async function beginRegistration(tx: Tx, services: Offering, user: UserEntity, begun: Pick<Begun, 'userActionId'> = {}) {
  if (!isAwaited(user)) throw new AppError('UserExists', 'User already exists.');
  return offerRegistration(tx, services, user, begun);
}

type Offering = Pick<RegistrationServices, 'tokens' | 'relyingParty' | 'credentialSecrets'>;

async function offerRegistration(tx: Tx, { tokens, ...services }: Offering, user: UserEntity, begun: Begun) {
  const { orgId } = tx;
  const { challenge, seed, sealedSeed } = offerCredentials(services, orgId);
  const id = newId('challenge');
  const dateExpires = new Date((await tx.clock()).getTime() + COMPLETION_WINDOW_MS);
  const data: z.input<typeof RegistrationData> = { sealedSeed, ...begun };
  await challengeStore.voidOpen(tx, user.id, 'Registration');
  await challengeStore.add(tx, { id, kind: 'Registration', userId: user.id, challenge, data, dateExpires });
  const { relyingParty: rp } = services;
  return {
    ...newCredentialView(rp, user, []),
    temporaryAuthenticationToken: await tokens.sign('temporary', { id, userId: user.id, orgId }, dateExpires),
    challenge,
    supportedCredentialKinds: SUPPORTED_KINDS,
    otpUrl: otpUrlOf(rp, user, seed),
  };
}

export type RegistrationChallenge = Awaited<ReturnType<typeof beginRegistration>>;

/**
 * Begins a registration and uses up its one-time code. A caller cannot find out which users exist: every failure is the same
 * `Unauthorized`, and the same database queries run for any name.
 */
export async function startRegistration(
  services: RegistrationServices,
  { orgId: askedOrg, username, code }: Named & { readonly code: string },
): Promise<RegistrationChallenge> {
  const orgId = isId('organization', askedOrg) ? askedOrg : NO_ID;
  const challenge = await services.db.withOrg(orgId, async (tx) => {
    const found = await userStore.findByUsername(tx, username);
    const reissue = await recoveryStore.dueReissue(tx, found?.id ?? NO_ID);
    const mayCome = (user: UserEntity | undefined): user is UserEntity =>
      (reissue !== undefined && user?.isRegistered === true) || isInvited(user);
    // Waits for a concurrent request that completes another registration of this person.
    const user = await userStore.lock(tx, mayCome(found) ? found.id : NO_ID);
    const owner = { userId: mayCome(user) ? user.id : NO_ID, purpose: 'Registration' as const };
    const isGood = await redeemCode(tx, services, owner, code);
    if (!isGood || !user) return undefined;
    if (isInvited(user)) return beginRegistration(tx, services, user);
    // Accepts only the code in the operator's grant, because the service itself can write other codes but cannot write a grant.
    if (reissue?.codeDigest !== codeDigestOf(services, orgId, owner, code)) return undefined;
    return offerRegistration(tx, services, user, { reissueId: reissue.id });
  });
  if (!challenge) throw unauthorized();
  return challenge;
}

/**
 * Mails a new code, which replaces the previous code. Does nothing, without an error, unless the user is an employee who still
 * has to register.
 */
export async function resendCode(services: RegistrationServices, { orgId, username }: Named): Promise<void> {
  if (!isId('organization', orgId)) return;
  const mail = await services.db.withOrg(orgId, async (tx) => {
    const found = await userStore.findByUsername(tx, username);
    const user = found && (await userStore.lock(tx, found.id));
    return isInvited(user) ? invite(tx, services, user) : undefined;
  });
  if (mail) await services.dispatcher.tryNow(orgId, mail);
}

/** Throws `Unauthorized`. */
export async function registrationOf({ db }: Pick<RegistrationServices, 'db'>, { orgId, userId, id }: TokenClaims) {
  const open = await challengeStore.findOpen(db.read(orgId), id, 'Registration');
  if (open?.userId !== userId) throw unauthorized();
  return { challenge: open.challenge, ...RegistrationData.parse(open.data) };
}

/** Further work in the database transaction that registers the person, after the first credentials are stored. */
type Alongside<T> = (tx: Tx, user: UserEntity, credentialUuid: string) => Promise<T>;

/**
 * Exactly one of several completions succeeds. Throws `Unauthorized` for a token that was used or voided, and
 * `AttestationInvalid` for invalid credentials.
 */
export async function completeRegistration<T>(
  services: RegistrationServices,
  ceremony: TokenClaims,
  credentials: NewCredentials,
  alongside: Alongside<T>,
) {
  const { orgId, userId, id } = ceremony;
  const { challenge, sealedSeed } = await registrationOf(services, ceremony);
  const attested = await attestAll(services, orgId, { challenge, sealedSeed }, credentials);
  const [{ kind, name }] = attested;

  const { mail, ...result } = await services.db.withOrg(orgId, async (tx) => {
    const user = await userStore.lock(tx, userId);
    if (!isAwaited(user) || !(await challengeStore.consume(tx, id))) throw unauthorized();
    const [uuid] = await addCredentials(tx, userId, attested);
    await userStore.change(tx, user, { isRegistered: true, credentialUuid: uuid, dateCredentialsChanged: await tx.clock() });
    await oneTimeCodeStore.voidOpen(tx, userId, 'Registration');
    if (user.kind === 'EndUser') await assignDefaultEndUser(tx, userId);
    const registered = { credential: { uuid, kind, name }, user: { id: userId, username: user.username, orgId } };
    return { registered, mail: await notice(tx, services, user), more: await alongside(tx, user, uuid) };
  });
  if (mail) void services.dispatcher.tryNow(orgId, mail);
  return result;
}

/** Anyone with access to the mailbox could have registered in the place of its owner, so the owner is notified. */
async function notice(tx: Tx, services: IdentityServices, user: UserEntity): Promise<Dispatch | undefined> {
  if (user.kind === 'EndUser') return undefined;
  const { id: userId, username } = user;
  return queueMail(tx, services, { userId, to: username, template: 'UserRegistered', data: { username } });
}
