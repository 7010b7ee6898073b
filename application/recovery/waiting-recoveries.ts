import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { ALL_OPERATIONS } from '../../domain/permissions';
import type { RecoveryStanding } from '../../domain/recoveries';
import { tokenRecordStore } from '../../entities/access-tokens/token-record.store';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Database, Tx } from '../../entities/database';
import { deploymentStore } from '../../entities/deployment/deployment.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { PreparedCredential, RecoveryEntity } from '../../entities/recoveries/recovery.entity';
import { recoveryStore } from '../../entities/recoveries/recovery.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { RECOVER, RECOVERY_STOPPED } from '../../workflows/recover.messages';
import type { Mailing } from '../mails/mails';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { tellConcerned } from './notices';
import { recoveryView } from './view';

/** The row of the user must be locked, and the user must be active. */
type Recovered = Pick<UserEntity, 'id' | 'version' | 'username'>;

/**
 * Makes the new credentials the only access of the user. Old credentials, sessions, access tokens, codes and challenges become
 * void in the same database transaction. Throws if another credential has taken one of the credential ids meanwhile.
 */
export async function replaceCredentials(tx: Tx, user: Recovered, prepared: readonly PreparedCredential[]): Promise<void> {
  await tokenRecordStore.removeAllOfUser(tx, user.id);
  await userStore.endAccess(tx, user.id);
  await recoveryStore.voidCredentials(tx, user.id);
  for (const credential of prepared) {
    await credentialStore.add(tx, { ...credential, userId: user.id, isTokenBound: false });
  }
  const [main] = prepared;
  await userStore.change(tx, user, { credentialUuid: main?.id ?? '', dateCredentialsChanged: await tx.clock() });
}

/** The pause between two checks while the deployment is frozen. */
const FROZEN_LOOK_MS = 60_000;

type Ending = Mailing & { readonly db: Database };

/**
 * Applies a waiting recovery that is due. The recovery is stopped instead if the user was deactivated, if the recovery key is
 * void, or if the operator's code has expired. The recovery is stopped also if another credential has taken one of the new
 * credential ids. No recovery is applied while the deployment is frozen. A recovery that began before the freeze is stopped after
 * the release. No person could stop the recovery during the freeze, and the rows may lack an earlier stop if a restore caused the
 * freeze.
 */
export async function applyWaiting(services: Ending, orgId: string, id: string): Promise<RecoveryStanding> {
  return services.db.withOrg(orgId, async (tx) => {
    const row = await recoveryStore.find(tx, id);
    if (!row) throw new AppError('NotFound', 'recovery not found', { recoveryId: id });
    // Locks the user before the recovery, as a login or another recovery does. The opposite order could deadlock.
    const user = await userStore.lock(tx, row.userId);
    const waiting = await recoveryStore.lockWaiting(tx, id);
    if (!waiting) return standingOf(tx, id);
    if (await deploymentStore.freeze(tx)) return { status: 'Waiting', waitMs: FROZEN_LOOK_MS };
    const isOutdated = await deploymentStore.isReleasedSince(tx, row.dateCreated);
    const until = row.dateExpires ?? row.dateEffective;
    const waitMs = isOutdated ? 0 : until.getTime() - (await tx.clock()).getTime();
    if (waitMs > 0) return { status: 'Waiting', waitMs };
    if (!user || isOutdated || !(await canBeApplied(tx, user, waiting))) return stopUnapplied(tx, services, id, user);
    const { newCredentials } = waiting;
    await recoveryStore.end(tx, id, 'Applied', null);
    await replaceCredentials(tx, user, newCredentials);
    await tellConcerned(tx, services, user, { template: 'RecoveryCompleted', data: { username: user.username } });
    return { status: 'Applied', waitMs: 0 };
  });
}

async function canBeApplied(
  tx: Tx,
  { isActive, dateArchived }: UserEntity,
  { credentialUuid, newCredentials }: RecoveryEntity,
): Promise<boolean> {
  if (credentialUuid === null || !isActive || dateArchived !== null) return false;
  return (await credentialStore.isUsable(tx, credentialUuid)) && !(await recoveryStore.areTaken(tx, newCredentials));
}

async function stopUnapplied(tx: Tx, services: Mailing, id: string, user: UserEntity | undefined): Promise<RecoveryStanding> {
  await recoveryStore.end(tx, id, 'Stopped', null);
  if (user) await tellConcerned(tx, services, user, { template: 'RecoveryStopped', data: { username: user.username } });
  return { status: 'Stopped', waitMs: 0 };
}

const startRouting: Dispatch['routing'] = { workflow: RECOVER, summary: 'Apply a recovery after its waiting time' };

export const startOfRecovery = (recoveryId: string): Dispatch => ({
  kind: 'start',
  aggregateId: recoveryId,
  dedupeKey: `start:${recoveryId}`,
  routing: startRouting,
});

export const wakeOf = (recoveryId: string): Dispatch => ({
  kind: 'signal',
  aggregateId: recoveryId,
  dedupeKey: `stop:${recoveryId}`,
  routing: { signal: RECOVERY_STOPPED },
});

export async function restartRecovery(tx: Tx, id: string): Promise<Dispatch['routing'] | undefined> {
  return (await recoveryStore.lockWaiting(tx, id)) && startRouting;
}

async function standingOf(tx: Tx, id: string): Promise<RecoveryStanding> {
  const row = await recoveryStore.find(tx, id);
  return { status: row?.status ?? 'Stopped', waitMs: 0 };
}

type Page = { readonly after: string | undefined; readonly limit: number };

/**
 * The caller's own recoveries, newest first. A full administrator gets the recoveries of all users. If there is a next page,
 * returns one row more than `limit`.
 */
export function listRecoveries(db: Database, { orgId, userId, permissions }: Caller, page: Page) {
  return recoveryStore.list(db.read(orgId), { ...page, userId: permissions.has(ALL_OPERATIONS) ? undefined : userId });
}

/**
 * A recovery may be stopped by its user, with any credential that is still valid, and by full administrators. Throws
 * `NotFound` for every other caller, and `WrongState` for a recovery that has ended.
 */
export async function stopRecovery(services: Pick<Services, 'db' | 'dispatcher'> & Mailing, authority: Authority, id: string) {
  const { caller } = authority;
  const { view, rows } = await act(services.db, authority, async (tx) => {
    const row = isId('recovery', id) ? await recoveryStore.find(tx, id) : undefined;
    if (!row || !(row.userId === caller.userId || caller.permissions.has(ALL_OPERATIONS))) throw notFound(id);
    if (!(await recoveryStore.end(tx, id, 'Stopped', caller.userId))) throw new AppError('WrongState', 'The recovery has ended');
    const wake = wakeOf(id);
    await outboxStore.add(tx, wake);
    const user = { id: row.userId, username: row.username };
    const mails = await tellConcerned(tx, services, user, { template: 'RecoveryStopped', data: { username: row.username } });
    const stopped = await recoveryStore.find(tx, id);
    return { view: recoveryView(stopped ?? row), rows: [wake, ...mails] };
  });
  for (const row of rows) void services.dispatcher.tryNow(caller.orgId, row);
  return view;
}

const notFound = (recoveryId: string) => new AppError('NotFound', 'recovery not found', { recoveryId });
