import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import { userStore } from '../../entities/users/user.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { storeOfKey } from '../key-stores/assert-store-does';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { emitKey } from './events';
import { lockKeyOf, visibleKey } from './plan-key';
import { type KeyDetails, type KeyView, keyDetails, keyView } from './view';

/** Throws `NotFound`. */
export async function getKey({ db }: Services, caller: Caller, keyId: string): Promise<KeyDetails> {
  const reader = db.read(caller.orgId);
  const [key, wallets] = await Promise.all([visibleKey(reader, caller, keyId), walletStore.ofKey(reader, keyId)]);
  return keyDetails(
    key,
    await storeOfKey(reader, key),
    wallets.map(({ wallet }) => wallet),
  );
}

type KeyQuery = { readonly owner?: string | undefined; readonly after: string | undefined };

/**
 * Lists the newest key first. `owner` is the id or username of the user to whom the keys are delegated. End users see only
 * their own keys.
 */
export async function listKeys({ db }: Services, caller: Caller, query: KeyQuery, rowsMax: number): Promise<KeyEntity[]> {
  const reader = db.read(caller.orgId);
  const { owner, after } = query;
  const named = owner === undefined || isId('user', owner) ? owner : (await userStore.findByUsername(reader, owner))?.id;
  if (owner !== undefined && named === undefined) return [];
  if (caller.kind === 'EndUser' && named !== undefined && named !== caller.userId) return [];
  const delegatedTo = caller.kind === 'EndUser' ? caller.userId : named;
  return keyRecordStore.list(reader, { delegatedTo, after, rowsMax });
}

/** Null removes the name. Throws `NotFound`. */
export function updateKey({ db }: Services, authority: Authority, keyId: string, name: string | null): Promise<KeyView> {
  return act(db, authority, async (tx) => {
    await lockKeyOf(tx, authority.caller, keyId);
    await keyRecordStore.change(tx, keyId, { name });
    return keyView(await lockKeyOf(tx, authority.caller, keyId));
  });
}

/**
 * Archives the key and all its wallets. The key then no longer signs. The sealed secret stays, so that a deletion by mistake
 * does not lose the funds of the wallets. Throws `NotFound`. Throws `WrongState` for a key that is already deleted.
 */
export function deleteKey({ db }: Services, authority: Authority, keyId: string): Promise<KeyView> {
  return act(db, authority, async (tx) => {
    const key = await lockKeyOf(tx, authority.caller, keyId);
    if (key.status === 'Archived') throw new AppError('WrongState', 'key is already deleted', { keyId });
    const dateDeleted = await tx.clock();
    await keyRecordStore.change(tx, keyId, { status: 'Archived', dateDeleted });
    await walletStore.archiveOfKey(tx, keyId, dateDeleted);
    await emitKey(tx, 'key.deleted', keyId);
    return keyView(await lockKeyOf(tx, authority.caller, keyId));
  });
}
