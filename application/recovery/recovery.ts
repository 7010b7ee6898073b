import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { challengeStore } from '../../entities/challenges/challenge.store';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { signInStore } from '../../entities/users/sign-in.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import type { TokenKeys } from '../../platform/token-keys';
import { unauthorized } from '../access-tokens/tokens';
import { newCredentialView, otpUrlOf, SUPPORTED_KINDS } from '../credentials/new-challenge-view';
import { offerCredentials } from '../credentials/new-credentials';
import { redeemCode } from '../login/one-time-codes';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import type { IdentityServices } from '../users/identity-services';

export type RecoveryServices = Pick<Services, 'db' | 'dispatcher'> & IdentityServices & { readonly tokens: TokenKeys };

const COMPLETION_WINDOW_MS = 30 * 60_000;
const NOBODYS_ID = '';

/** `begunBy` is the caller who began the recovery of an end user; null if a user began their own recovery. */
export const RecoveryData = z.object({ sealedSeed: z.string(), credentialUuid: z.string(), begunBy: z.string().nullable() });

type Said = {
  readonly orgId: string;
  readonly username: string;
  readonly verificationCode: string;
  readonly credentialId: string;
};

/**
 * Uses up the mailed code. A caller cannot find out which users exist: every failure is the same `Unauthorized`, and the same
 * database queries run for any name.
 */
export async function beginRecovery(services: RecoveryServices, { orgId, username, verificationCode, credentialId }: Said) {
  const { user, credentials } = await signInStore.findNamed(services.db.read(orgId), username);
  const begun = await services.db.withOrg(orgId, async (tx) => {
    const locked = await userStore.lock(tx, user?.id ?? NOBODYS_ID);
    const owner = { userId: user?.id ?? NOBODYS_ID, purpose: 'Recovery' as const };
    const isGood = await redeemCode(tx, services, owner, verificationCode);
    const key = recoveryKeyOf(credentials, credentialId);
    return isGood && key && locked && isHere(locked) ? offerRecovery(tx, services, locked, key, null) : undefined;
  });
  if (!begun) throw unauthorized();
  return begun;
}

/**
 * Begins the recovery of an end user at the request of another caller. Throws `UserDeactivated`. Throws `UserNotFound` for a
 * user who is not an end user or has never registered. Throws `CredentialUnusable` if the credential is not a recovery key of
 * the user.
 */
export async function delegateRecovery(
  services: RecoveryServices,
  authority: Authority,
  { username, credentialId }: Pick<Said, 'username' | 'credentialId'>,
) {
  return act(services.db, authority, async (tx) => {
    const found = await userStore.findByUsername(tx, username);
    const user = found && (await userStore.lock(tx, found.id));
    if (user?.kind !== 'EndUser' || !user.isRegistered) throw new AppError('UserNotFound', 'User not found');
    if (!isHere(user)) throw new AppError('UserDeactivated', 'User account has been deactivated.');
    const key = recoveryKeyOf(await credentialStore.listUsable(tx, user.id, undefined), credentialId);
    if (!key) throw recoveryUnusable();
    return offerRecovery(tx, services, user, key, authority.caller.userId);
  });
}

/** Every recovery requires an active user who is not archived. */
export const isHere = ({ isActive, dateArchived }: UserEntity): boolean => isActive && dateArchived === null;

export const recoveryKeyOf = (credentials: readonly CredentialEntity[], credentialId: string) =>
  credentials.find((one) => one.kind === 'RecoveryKey' && one.credentialId === credentialId);

export const recoveryUnusable = () => new AppError('CredentialUnusable', 'Credential cannot be used as a recovery factor.');

/** The challenge excludes no existing credential, because a recovery replaces all existing credentials. */
async function offerRecovery(
  tx: Tx,
  services: RecoveryServices,
  user: UserEntity,
  key: CredentialEntity,
  begunBy: string | null,
) {
  const { orgId } = tx;
  const { relyingParty: rp, tokens } = services;
  const { challenge, seed, sealedSeed } = offerCredentials(services, orgId);
  const id = newId('challenge');
  const dateExpires = new Date((await tx.clock()).getTime() + COMPLETION_WINDOW_MS);
  const data: z.input<typeof RecoveryData> = { sealedSeed, credentialUuid: key.id, begunBy };
  await challengeStore.voidOpen(tx, user.id, 'Recovery');
  await challengeStore.add(tx, { id, kind: 'Recovery', userId: user.id, challenge, data, dateExpires });
  return {
    ...newCredentialView(rp, user, []),
    temporaryAuthenticationToken: await tokens.sign('temporary', { id, userId: user.id, orgId }, dateExpires),
    challenge,
    supportedCredentialKinds: SUPPORTED_KINDS,
    otpUrl: otpUrlOf(rp, user, seed),
    allowedRecoveryCredentials: [{ id: key.credentialId, encryptedRecoveryKey: key.encryptedPrivateKey ?? '' }],
  };
}
