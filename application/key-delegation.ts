import { AppError } from '../domain/errors';
import type { Tx } from '../entities/database';
import type { KeyEntity } from '../entities/keys/key.entity';
import { keyRecordStore } from '../entities/keys/key-record.store';
import { walletStore } from '../entities/wallets/wallet.store';
import { type Authority, act } from './authority';
import { assertEndUser } from './end-users';
import { emitKey, emitWalletsOfKey } from './key-events';
import { assertUsableKey } from './key-use';
import { lockKeyOf } from './new-keys';
import type { Services } from './services';
import { assertNotFrozen, reachOfKey } from './standing-freezes';
import { walletOf } from './wallets';

/**
 * Gives the key and all its wallets to an end user, for ever: from then on that user alone signs, and no policy of the organisation
 * applies. Throws `NotFound`, `InvalidRequest` for somebody who is no end user, and `WrongState` for a key that was not made with
 * `delayDelegation`, is delegated already, deleted or exported, or from which others were derived, and `TargetFrozen` for
 * a frozen one.
 */
export async function delegateKey({ db }: Services, authority: Authority, keyId: string, userId: string): Promise<void> {
  await act(db, authority, async (tx) => {
    await delegate(tx, await lockKeyOf(tx, authority.caller, keyId), userId, 'delegateTo');
  });
}

/** As `delegateKey`, by one of the key's wallets. */
export async function delegateWallet({ db }: Services, authority: Authority, walletId: string, userId: string): Promise<void> {
  await act(db, authority, async (tx) => {
    const { wallet } = await walletOf(tx, authority.caller, walletId);
    await delegate(tx, await lockKeyOf(tx, authority.caller, wallet.keyId), userId, 'userId');
  });
}

async function delegate(tx: Tx, key: KeyEntity, userId: string, field: string): Promise<void> {
  const { id: keyId } = key;
  assertUsableKey(key);
  if (key.delegatedTo !== null) throw new AppError('WrongState', 'key is delegated already', { keyId });
  if (!key.mayBeDelegated) throw new AppError('WrongState', 'key was not created with delayDelegation', { keyId });
  // Who holds a master key holds every key derived from it, and those belong to the organisation.
  if ((await keyRecordStore.lockChildren(tx, keyId)).length > 0) {
    throw new AppError('WrongState', 'keys were derived from this key', { keyId });
  }
  await assertNotFrozen(tx, await reachOfKey(tx, key));
  await assertEndUser(tx, userId, field);
  await keyRecordStore.change(tx, keyId, { delegatedTo: userId });
  await walletStore.touchOfKey(tx, keyId);
  await emitKey(tx, 'key.delegated', keyId);
  await emitWalletsOfKey(tx, 'wallet.delegated', keyId);
}
