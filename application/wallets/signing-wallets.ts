import type { Caller } from '../../domain/callers';
import type { Reader } from '../../entities/database';
import { freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import { targetFrozen } from '../freezes/active-freezes';
import { assertMaySign } from '../keys/key-use';
import { type UsableWallet, usableOf, walletOf } from './wallets';

/**
 * Throws the errors of `usableOf`. Throws `Forbidden` if the key is delegated to an end user who is not the caller, because the
 * organisation's staff can only see the key. Throws `TargetFrozen` while a freeze stops the request.
 */
export async function signingWallet(reader: Reader, caller: Caller, walletId: string): Promise<UsableWallet> {
  const [{ wallet, key }, freeze] = await Promise.all([
    walletOf(reader, caller, walletId),
    freezeRecordStore.reachingWallets(reader, [walletId]),
  ]);
  const usable = usableOf(wallet);
  assertMaySign(caller, key);
  if (freeze) throw targetFrozen(freeze);
  return usable;
}
