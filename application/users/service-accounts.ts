import { lifetimeMs, type Validity } from '../../domain/access-tokens';
import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { tokenRecordStore } from '../../entities/access-tokens/token-record.store';
import type { Reader, Tx } from '../../entities/database';
import { violatedIndex } from '../../entities/unique-violation';
import { serviceAccountStore } from '../../entities/users/service-account.store';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import type { TokenKeys } from '../../platform/token-keys';
import { issueToken } from '../access-tokens/tokens';
import { serviceAccountView } from '../access-tokens/view';
import { recordAmendment } from '../amendments/record-amendment';
import { addTokenCredential, tokenKey } from '../credentials/token-credentials';
import { assignFirstPermission } from '../permissions/first-permission';
import { assertNoPolicyNames } from '../policies/named-approvers';
import { changeOf, watchingReach } from '../policies/reachability';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';

type Programs = Pick<Services, 'db' | 'dispatcher'> & { readonly tokens: TokenKeys };
type Rows = Pick<Services, 'db'>;

type NewServiceAccount = Pick<Validity, 'daysValid'> & {
  readonly name: string;
  readonly publicKey: string;
  readonly permissionId?: string | undefined;
  readonly externalId?: string | undefined;
};

/**
 * The account gets only the requested permission. If a policy requests approval, the account has no permission until people
 * approve. Only this response contains the account's token. Throws `AttestationInvalid` and the errors of
 * `assignFirstPermission`. Throws `Conflict` for a name or an external id that is taken.
 */
export async function createServiceAccount(
  { db, tokens, dispatcher }: Programs,
  authority: Authority,
  wanted: NewServiceAccount,
) {
  const { name, externalId, permissionId } = wanted;
  const publicKey = tokenKey(wanted.publicKey);
  const userId = newId('user');
  const { account, start } = await withConflicts(wanted, () =>
    act(db, authority, async (tx) => {
      const createdBy = authority.caller.userId;
      // The user name is the id. A name that people choose could be the name with which another user signs in.
      const user = { orgId: tx.orgId, id: userId, username: userId, name, kind: 'CustomerEmployee' as const, createdBy };
      await tx.insert(UserEntity, { ...user, isServiceAccount: true, isRegistered: true, externalId: externalId ?? null });
      const credentialId = await addTokenCredential(tx, userId, name, publicKey);
      await tx.update(UserEntity, { id: userId }, { credentialUuid: credentialId });
      const token = { userId, kind: 'ServiceAccount' as const, credentialId, name, lifetimeMs: lifetimeMs(wanted) };
      const { token: secret } = await issueToken(tx, tokens, token);
      const first = permissionId === undefined ? undefined : { identityId: userId, permissionId };
      const start = first && (await assignFirstPermission(tx, authority, first));
      return { account: await recordOf(tx, userId, secret), start };
    }),
  );
  // The call is not awaited, because the change request is committed. If the call fails, the relay starts the workflow.
  if (start) void dispatcher.tryNow(authority.caller.orgId, start);
  return account;
}

/** Newest first, without archived accounts. */
export async function listServiceAccounts({ db }: Rows, orgId: string) {
  const reader = db.read(orgId);
  const [accounts, tokens] = await Promise.all([
    serviceAccountStore.list(reader),
    tokenRecordStore.listOfServiceAccounts(reader),
  ]);
  return accounts.map((account) =>
    serviceAccountView(
      account,
      tokens.filter(({ userId }) => userId === account.id),
    ),
  );
}

/** Throws `NotFound` for an id that is not a service account of this organisation, and for an archived account. */
export async function getServiceAccount({ db }: Rows, orgId: string, userId: string) {
  const reader = db.read(orgId);
  const account = isId('user', userId) ? await serviceAccountStore.find(reader, userId) : undefined;
  if (!account || account.dateArchived !== null) throw notFound(userId);
  return recordOf(reader, userId);
}

type Change = { readonly name?: string | undefined; readonly externalId?: string | undefined };

/** Throws `NotFound` and `Conflict`. */
export function updateServiceAccount({ db }: Rows, authority: Authority, userId: string, change: Change) {
  const { name, externalId } = change;
  const set = { ...(name === undefined ? {} : { name }), ...(externalId === undefined ? {} : { externalId }) };
  return withConflicts(change, () =>
    act(db, authority, async (tx) => {
      const row = await lock(tx, userId);
      if (Object.keys(set).length > 0) await serviceAccountStore.change(tx, row, set);
      return recordOf(tx, userId);
    }),
  );
}

/** Throws `NotFound`. */
export function activateServiceAccount({ db }: Rows, authority: Authority, userId: string) {
  return act(db, authority, async (tx) => {
    const row = await lock(tx, userId);
    // If service accounts may vote, a reactivated account is treated as a new voter (S10).
    if (!row.isActive) await serviceAccountStore.change(tx, row, { isActive: true, dateCredentialsChanged: await tx.clock() });
    return recordOf(tx, userId);
  });
}

/** The next request with the account's token is refused. Throws the same errors as `archiveServiceAccount`. */
export function deactivateServiceAccount({ db }: Rows, authority: Authority, userId: string, force: boolean) {
  return act(db, authority, async (tx, userActionId) => {
    assertAnother(authority, userId);
    const row = await lock(tx, userId);
    if (!force) await assertNoPolicyNames(tx, userId);
    const change = changeOf('Deactivate of ServiceAccount', userId, authority);
    if (!row.isActive) return recordOf(tx, userId);
    await watchingReach(tx, change, () => serviceAccountStore.change(tx, row, { isActive: false }));
    await recordAmendment(tx, { kind: 'deactivateServiceAccount', userActionId });
    return recordOf(tx, userId);
  });
}

/**
 * Ends the account, its token and its credential for good. Throws `NotFound`, `Unreachable`, and `OwnState` for the caller's
 * own account. Without `force`, throws `NamedApprover` with the active policies that name the account.
 */
export function archiveServiceAccount({ db }: Rows, authority: Authority, userId: string, force: boolean) {
  return act(db, authority, async (tx, userActionId) => {
    assertAnother(authority, userId);
    const row = await lock(tx, userId);
    if (!force) await assertNoPolicyNames(tx, userId);
    const dateArchived = await tx.clock();
    const change = changeOf('Archive of ServiceAccount', userId, authority);
    await watchingReach(tx, change, () => serviceAccountStore.change(tx, row, { isActive: false, dateArchived }));
    await tokenRecordStore.removeAllOfUser(tx, userId);
    // The amendment is recorded even if the account is inactive, in case the signer refused the deactivation.
    await recordAmendment(tx, { kind: 'archiveServiceAccount', userActionId });
    return recordOf(tx, userId);
  });
}

function assertAnother({ caller }: Authority, userId: string): void {
  if (caller.userId === userId) throw new AppError('OwnState', 'service account cannot modify its own state');
}

async function lock(tx: Tx, userId: string): Promise<UserEntity> {
  const row = isId('user', userId) ? await serviceAccountStore.lock(tx, userId) : undefined;
  if (!row) throw notFound(userId);
  return row;
}

async function recordOf(reader: Reader, userId: string, secret?: string) {
  const [account, tokens] = await Promise.all([
    serviceAccountStore.find(reader, userId),
    tokenRecordStore.listOfServiceAccounts(reader, userId),
  ]);
  invariant(account, `the service account ${userId} exists`);
  return serviceAccountView(account, tokens, secret);
}

async function withConflicts<T>({ name, externalId }: Change, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const index = violatedIndex(error);
    if (index === 'service_accounts_by_name')
      throw new AppError('Conflict', 'Conflicting service account with same name', { name }, error);
    if (index === 'users_by_external_id')
      throw new AppError('Conflict', 'Conflicting user with same externalId', { externalId }, error);
    throw error;
  }
}

const notFound = (serviceAccountId: string) => new AppError('NotFound', 'service account not found', { serviceAccountId });
