import { freezeSentence } from '../../domain/deployment-freeze';
import { HOUR_MS } from '../../domain/durations';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { hoursNow } from '../../domain/settings';
import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import type { Database, Tx } from '../../entities/database';
import { deploymentStore } from '../../entities/deployment/deployment.store';
import { outboxStore } from '../../entities/outbox/outbox.store';
import type { ReissueGrant } from '../../entities/recoveries/new-reissue-grant';
import { recoveryStore } from '../../entities/recoveries/recovery.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import { codeDigestOf, issueCode } from '../login/one-time-codes';
import { getOrganization } from '../organizations/organizations';
import { fullAdmins } from '../users/full-admins';
import type { IdentityServices } from '../users/identity-services';
import { tellConcerned } from './notices';
import { startOfRecovery } from './waiting-recoveries';

/** How long the code is valid after the waiting time. */
const CODE_USABLE_MS = 72 * HOUR_MS;

type Codes = Pick<IdentityServices, 'codeDigest' | 'mailContents'>;
/** `user` is an id or a user name. */
type Asked = { readonly orgId: string; readonly user: string };
export type Reissue = { readonly grant: ReissueGrant; readonly username: string; readonly code: string };

/**
 * Begins a recovery for an administrator who has lost every credential. The returned code registers new credentials once, after
 * the organisation's waiting time, and only if the caller has written the returned grant to the database. Every full
 * administrator is notified, and can stop the recovery until the code is used. Stops an earlier recovery that an operator began
 * for the user. Throws `NotFound`, and `Frozen` while the deployment is frozen. Throws `Forbidden` for a user who is not an
 * active administrator with full access. Throws `WrongState` if a recovery with a recovery key is waiting. The operator reads
 * the error messages.
 */
export async function beginReissue(db: Database, services: Codes, { orgId, user: named }: Asked): Promise<Reissue> {
  const { settings } = await getOrganization(db, orgId);
  const frozen = await deploymentStore.freeze(db.read(''));
  // Administrators could not stop the recovery during a freeze.
  if (frozen) throw new AppError('Frozen', `${freezeSentence(frozen)}. Release the deployment first.`);
  return db.withOrg(orgId, async (tx) => {
    const user = await administratorNamed(tx, named);
    const { id: userId, username } = user;
    await endEarlier(tx, userId);
    const now = await tx.clock();
    const dateEffective = new Date(now.getTime() + hoursNow(settings, 'recoveryWaitHours', now) * HOUR_MS);
    const dateExpires = new Date(dateEffective.getTime() + CODE_USABLE_MS);
    const id = newId('recovery');
    const begun = { kind: 'Operator', credentialUuid: null, begunBy: null, newCredentials: [] } as const;
    await recoveryStore.add(tx, { id, userId, status: 'Waiting', ...begun, dateEffective, dateExpires });
    const owner = { userId, purpose: 'Registration' } as const;
    const code = await issueCode(tx, services, owner, dateExpires);
    await outboxStore.add(tx, startOfRecovery(id));
    const data = { username, dateEffective: dateEffective.toISOString(), dateExpires: dateExpires.toISOString() };
    await tellConcerned(tx, services, user, { template: 'ReissueStarted', data });
    await auditEntryStore.command(tx, 'org:reissue', { userId, recoveryId: id });
    const codeDigest = codeDigestOf(services, orgId, owner, code);
    return { grant: { orgId, id, userId, codeDigest, dateEffective, dateExpires }, username, code };
  });
}

async function administratorNamed(tx: Tx, named: string): Promise<UserEntity> {
  const found = isId('user', named) ? { id: named } : await userStore.findByUsername(tx, named);
  const user = found && (await userStore.lock(tx, found.id));
  if (!user) throw new AppError('NotFound', 'user not found in this organization');
  const fault = await obstacleTo(tx, user);
  if (fault !== undefined) throw new AppError('Forbidden', `${user.id} ${fault}`);
  return user;
}

/** Why an operator may not begin a recovery for the user; undefined for an active administrator with full access. */
export async function obstacleTo(tx: Tx, user: UserEntity): Promise<string | undefined> {
  if (user.isServiceAccount) return 'is a service account; its creator can create a new one';
  if (user.kind === 'EndUser') return 'is an end user; an operator can only recover administrators with full access';
  if (user.dateArchived !== null) return 'is archived';
  if (!user.isActive) return 'is not active';
  if (!user.isRegistered) return 'has never registered; PUT /auth/registration/code mails a new code';
  const isAdmin = (await fullAdmins(tx)).some(({ id }) => id === user.id);
  return isAdmin ? undefined : 'does not have full access; an administrator of the organization can invite them again';
}

async function endEarlier(tx: Tx, userId: string): Promise<void> {
  const earlier = await recoveryStore.waitingOf(tx, userId);
  if (!earlier) return;
  if (earlier.kind === 'RecoveryKey') {
    const from = earlier.dateEffective.toISOString();
    throw new AppError(
      'WrongState',
      `${earlier.id} of this user is already waiting and takes effect at ${from}; an administrator can stop it`,
    );
  }
  await recoveryStore.end(tx, earlier.id, 'Stopped', null);
}
