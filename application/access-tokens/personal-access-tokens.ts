import { lifetimeMs, type Validity } from '../../domain/access-tokens';
import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { type TokenRecord, tokenRecordStore } from '../../entities/access-tokens/token-record.store';
import type { Reader, Tx } from '../../entities/database';
import { violatedIndex } from '../../entities/unique-violation';
import type { TokenKeys } from '../../platform/token-keys';
import { recordAmendment, type SignedChange } from '../amendments/record-amendment';
import { addTokenCredential, tokenKey } from '../credentials/token-credentials';
import { assignFirstPermission } from '../permissions/first-permission';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { issueToken } from './tokens';
import { accessTokenView } from './view';

type Programs = Pick<Services, 'db' | 'dispatcher'> & { readonly tokens: TokenKeys };
type Rows = Pick<Services, 'db'>;

type NewPersonalAccessToken = Validity & {
  readonly name: string;
  readonly publicKey: string;
  readonly permissionId?: string | undefined;
  readonly externalId?: string | undefined;
};

/**
 * Creates a token by which a program acts as the caller. Without `permissionId`, the token has the permissions that the caller
 * has at the time of each request. With `permissionId`, the token is assigned that permission, and a request needs both that
 * permission and the caller's own permissions. While the assignment waits for approval, every request with the token is
 * refused. Only this response contains the token itself. Throws `AttestationInvalid`, `Conflict`, and the errors of
 * `assignFirstPermission`.
 */
export async function createPersonalAccessToken(
  { db, tokens, dispatcher }: Programs,
  authority: Authority,
  wanted: NewPersonalAccessToken,
) {
  const { userId } = authority.caller;
  const { name, externalId, permissionId } = wanted;
  const publicKey = tokenKey(wanted.publicKey);
  const { created, start } = await withConflicts(wanted, () =>
    act(db, authority, async (tx) => {
      const credentialId = await addTokenCredential(tx, userId, name, publicKey);
      const { id, token } = await issueToken(tx, tokens, {
        userId,
        kind: 'Pat',
        credentialId,
        name,
        lifetimeMs: lifetimeMs(wanted),
        isRestricted: permissionId !== undefined,
        ...(externalId === undefined ? {} : { externalId }),
      });
      const first = permissionId === undefined ? undefined : { identityId: id, permissionId };
      const start = first && (await assignFirstPermission(tx, authority, first));
      return { created: { ...accessTokenView(await find(tx, userId, id)), accessToken: token }, start };
    }),
  );
  // The call is not awaited, because the assignment is committed. If the call fails, the relay starts the workflow.
  if (start) void dispatcher.tryNow(authority.caller.orgId, start);
  return created;
}

/** Lists the newest token first. */
export async function listPersonalAccessTokens({ db }: Rows, { orgId, userId }: Caller) {
  const records = await tokenRecordStore.listPersonal(db.read(orgId), userId);
  return records.map((record) => accessTokenView(record));
}

/** Throws `NotFound`, also for another user's token and for a removed token. */
export async function getPersonalAccessToken({ db }: Rows, { orgId, userId }: Caller, tokenId: string) {
  return accessTokenView(await find(db.read(orgId), userId, tokenId));
}

type Change = { readonly name?: string | undefined; readonly externalId?: string | undefined };

/** Throws `NotFound`, `Conflict`. */
export function updatePersonalAccessToken(services: Rows, authority: Authority, tokenId: string, change: Change) {
  const { name, externalId } = change;
  const set = { ...(name === undefined ? {} : { name }), ...(externalId === undefined ? {} : { externalId }) };
  return withConflicts(change, () => changeOwn(services, authority, tokenId, (tx) => tokenRecordStore.change(tx, tokenId, set)));
}

/** Throws `NotFound`. Throws `WrongState` for an expired token. */
export function activatePersonalAccessToken(services: Rows, authority: Authority, tokenId: string) {
  return changeOwn(services, authority, tokenId, async (tx) => {
    const { isExpired } = await find(tx, authority.caller.userId, tokenId);
    if (isExpired) throw new AppError('WrongState', 'personal access token has expired', { tokenId });
    await tokenRecordStore.change(tx, tokenId, { isActive: true });
  });
}

/** Throws `NotFound`. */
export function deactivatePersonalAccessToken(services: Rows, authority: Authority, tokenId: string) {
  return changeOwn(services, authority, tokenId, async (tx, userActionId) => {
    await tokenRecordStore.change(tx, tokenId, { isActive: false });
    await amend(tx, authority, { kind: 'deactivatePersonalAccessToken', userActionId });
  });
}

/** Removes the token for good. Throws `NotFound`. */
export function archivePersonalAccessToken(services: Rows, authority: Authority, tokenId: string) {
  return changeOwn(services, authority, tokenId, async (tx, userActionId) => {
    await tokenRecordStore.remove(tx, tokenId);
    await amend(tx, authority, { kind: 'archivePersonalAccessToken', userActionId });
  });
}

/** End users are not part of a charter, so their changes do not amend a charter. */
const amend = async (tx: Tx, { caller }: Authority, change: SignedChange): Promise<void> => {
  if (caller.kind !== 'EndUser') await recordAmendment(tx, change);
};

type ChangeOfToken = (tx: Tx, userActionId: string) => Promise<void>;
function changeOwn({ db }: Rows, authority: Authority, tokenId: string, change: ChangeOfToken) {
  return act(db, authority, async (tx, userActionId) => {
    const isOwn = isId('token', tokenId) && (await tokenRecordStore.lockPersonal(tx, authority.caller.userId, tokenId));
    if (!isOwn) throw notFound(tokenId);
    await change(tx, userActionId);
    const record = await tokenRecordStore.find(tx, tokenId);
    invariant(record, `the token ${tokenId} exists`);
    return accessTokenView(record);
  });
}

async function find(reader: Reader, userId: string, tokenId: string): Promise<TokenRecord> {
  const record = isId('token', tokenId) ? await tokenRecordStore.findPersonal(reader, userId, tokenId) : undefined;
  if (!record) throw notFound(tokenId);
  return record;
}

async function withConflicts<T>({ name, externalId }: Change, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const index = violatedIndex(error);
    if (index === 'access_tokens_by_name')
      throw new AppError('Conflict', 'Conflicting personal access token with same name', { name }, error);
    if (index === 'access_tokens_by_external_id')
      throw new AppError('Conflict', 'Conflicting personal access token with same externalId', { externalId }, error);
    throw error;
  }
}

const notFound = (tokenId: string) => new AppError('NotFound', 'personal access token not found', { tokenId });
