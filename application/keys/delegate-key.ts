import { AppError, invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { type Apply, assertNothingPending, type Changed, makeChange } from '../change-requests/proposals';
import { assertNotFrozen, reachOfKey } from '../freezes/active-freezes';
import { assertStoreDoes } from '../key-stores/assert-store-does';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { assertEndUser } from '../users/end-users';
import { walletOf } from '../wallets/wallets';
import { emitKey, emitWalletsOfKey } from './events';
import { assertUsableKey } from './key-use';
import { lockKeyOf } from './plan-key';
import type { KeyDelegationWish } from './wish-view';

/**
 * Gives the key and all its wallets to an end user, irrevocably. From then on only that user signs, and no policy of the
 * organisation applies. Throws `NotFound`, `ChangePending` and `PolicyBlocked`. Throws `InvalidRequest` for a user who is not
 * an end user. Throws `TargetFrozen` for a frozen key. Throws `WrongState` for a key that was made without `delayDelegation`,
 * or that has derived keys. Throws `WrongState` also for a delegated, deleted or exported key.
 */
export function delegateKey(
  services: Services,
  authority: Authority,
  keyId: string,
  userId: string,
): Promise<Changed<undefined>> {
  return delegated(services, authority, userId, 'delegateTo', (tx) => lockKeyOf(tx, authority.caller, keyId));
}

/** The same as `delegateKey`, for the key of a wallet. */
export function delegateWallet(
  services: Services,
  authority: Authority,
  walletId: string,
  userId: string,
): Promise<Changed<undefined>> {
  return delegated(services, authority, userId, 'userId', async (tx) => {
    const { wallet } = await walletOf(tx, authority.caller, walletId);
    return lockKeyOf(tx, authority.caller, wallet.keyId);
  });
}

function delegated(
  services: Services,
  authority: Authority,
  userId: string,
  field: string,
  lock: (tx: Tx) => Promise<KeyEntity>,
): Promise<Changed<undefined>> {
  return makeChange<undefined>(services, authority, async (tx) => {
    const key = await lock(tx);
    await assertDelegable(tx, key, userId, field);
    await assertNothingPending(tx, key.id);
    const { id: keyId, publicKey, scheme, curve, version, delegatedTo } = key;
    invariant(publicKey, 'a usable key has a public key');
    const body: KeyDelegationWish = { keyId, publicKey, scheme, curve, delegateTo: userId };
    return {
      proposal: {
        kind: 'KeyDelegation',
        operationKind: 'Update',
        entityId: keyId,
        subject: keyId,
        baseVersion: version,
        before: { delegatedTo },
        change: body,
        body,
      },
      apply: applyToDelegation,
      read: async () => undefined,
    };
  });
}

/** The version of the key is not compared, because a change of the key's name does not matter. */
export const applyToDelegation: Apply = async (tx, { entityId: keyId, change }) => {
  const { delegateTo } = change as KeyDelegationWish;
  const key = await keyRecordStore.lock(tx, keyId);
  if (!key) return 'The key no longer exists';
  await assertDelegable(tx, key, delegateTo, 'delegateTo');
  await keyRecordStore.change(tx, keyId, { delegatedTo: delegateTo });
  await walletStore.touchOfKey(tx, keyId);
  await emitKey(tx, 'key.delegated', keyId);
  await emitWalletsOfKey(tx, 'wallet.delegated', keyId);
  return undefined;
};

async function assertDelegable(tx: Tx, key: KeyEntity, userId: string, field: string): Promise<void> {
  const { id: keyId } = key;
  assertUsableKey(key);
  if (key.delegatedTo !== null) throw new AppError('WrongState', 'key is already delegated', { keyId });
  if (!key.mayBeDelegated) throw new AppError('WrongState', 'key was not created with delayDelegation', { keyId });
  // The holder of a master key could derive its child keys, which belong to the organisation.
  if ((await keyRecordStore.lockChildren(tx, keyId)).length > 0) {
    throw new AppError('WrongState', 'keys were derived from this key', { keyId });
  }
  await assertStoreDoes(tx, key, 'Delegate');
  await assertNotFrozen(tx, await reachOfKey(tx, key));
  await assertEndUser(tx, userId, field);
}
