import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import { isId } from '../domain/ids';
import { ALL_OPERATIONS } from '../domain/permissions';
import type { RecoveryStanding } from '../domain/recoveries';
import { tokenRecordStore } from '../entities/access-tokens/token-record.store';
import { credentialStore } from '../entities/credentials/credential.store';
import type { Database, Tx } from '../entities/database';
import { type Dispatch, outboxStore } from '../entities/outbox/outbox.store';
import type { PreparedCredential } from '../entities/recoveries/recovery.entity';
import { recoveryStore } from '../entities/recoveries/recovery.store';
import type { UserEntity } from '../entities/users/user.entity';
import { userStore } from '../entities/users/user.store';
import { RECOVERY_STOPPED } from '../workflows/recover.messages';
import { type Authority, act } from './authority';
import type { Mailing } from './mails';
import { tellConcerned } from './recovery-notices';
import type { Services } from './services';
import { recoveryView } from './views/recoveries';

/** The caller has locked the user and found them active. */
type Recovered = Pick<UserEntity, 'id' | 'version' | 'username'>;

/**
 * Puts the new credentials in the place of everything the user had: credentials of every kind, sessions, access tokens, codes
 * and challenges are void in the same transaction. Throws where a credential id was taken meanwhile.
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

/**
 * Applies a waiting recovery whose time has come. One that can no longer be applied counts as stopped: the person was shut out,
 * or the recovery key that asked for it is void by now.
 */
export async function applyWaiting(
  services: Mailing & { readonly db: Database },
  orgId: string,
  id: string,
): Promise<RecoveryStanding> {
  return services.db.withOrg(orgId, async (tx) => {
    const row = await recoveryStore.find(tx, id);
    if (!row) throw new AppError('NotFound', 'recovery not found', { recoveryId: id });
    // The person first, in the order in which a login and another recovery lock.
    const user = await userStore.lock(tx, row.userId);
    const waiting = await recoveryStore.lockWaiting(tx, id);
    if (!waiting) return standingOf(tx, id);
    const waitMs = waiting.dateEffective.getTime() - (await tx.clock()).getTime();
    if (waitMs > 0) return { status: 'Waiting', waitMs };
    const { credentialUuid, newCredentials } = waiting;
    const isOpen = user?.isActive && user.dateArchived === null && (await credentialStore.isUsable(tx, credentialUuid));
    if (!user || !isOpen || (await recoveryStore.areTaken(tx, newCredentials))) {
      await recoveryStore.end(tx, id, 'Stopped', null);
      if (user) await tellConcerned(tx, services, user, { template: 'RecoveryStopped', data: { username: user.username } });
      return { status: 'Stopped', waitMs: 0 };
    }
    await recoveryStore.end(tx, id, 'Applied', null);
    await replaceCredentials(tx, user, newCredentials);
    await tellConcerned(tx, services, user, { template: 'RecoveryCompleted', data: { username: user.username } });
    return { status: 'Applied', waitMs: 0 };
  });
}

async function standingOf(tx: Tx, id: string): Promise<RecoveryStanding> {
  const row = await recoveryStore.find(tx, id);
  return { status: row?.status ?? 'Stopped', waitMs: 0 };
}

type Page = { readonly after: string | undefined; readonly limit: number };

/** The caller's own recoveries, newest first, or everybody's for whoever may do everything; one more than the limit where there are more. */
export function listRecoveries(db: Database, { orgId, userId, permissions }: Caller, page: Page) {
  return recoveryStore.list(db.read(orgId), { ...page, userId: permissions.has(ALL_OPERATIONS) ? undefined : userId });
}

/**
 * Stops a waiting recovery: its own user may, by any credential that still counts, and whoever may do everything. Throws
 * `NotFound` for everybody else too, `WrongState` for one that has ended.
 */
export async function stopRecovery(services: Pick<Services, 'db' | 'dispatcher'> & Mailing, authority: Authority, id: string) {
  const { caller } = authority;
  const { view, rows } = await act(services.db, authority, async (tx) => {
    const row = isId('recovery', id) ? await recoveryStore.find(tx, id) : undefined;
    if (!row || !(row.userId === caller.userId || caller.permissions.has(ALL_OPERATIONS))) throw notFound(id);
    if (!(await recoveryStore.end(tx, id, 'Stopped', caller.userId))) throw new AppError('WrongState', 'The recovery has ended');
    const wake: Dispatch = {
      kind: 'signal',
      aggregateId: id,
      dedupeKey: `stop:${id}`,
      routing: { signal: RECOVERY_STOPPED },
    };
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
