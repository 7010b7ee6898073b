import type { Caller } from '../../domain/callers';
import type { Reader } from '../../entities/database';
import { freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import { targetFrozen } from '../freezes/active-freezes';
import { assertMaySign } from '../keys/key-use';
import { type UsableWallet, usableOf, walletOf } from './wallets';

/**
 * The wallet that a caller wants to sign with. Throws as `usableOf` and `assertMaySign` do: `Forbidden` for anybody but the end user
 * when its key is delegated, because from then on the key is that user's alone and the organisation's staff only sees it. `TargetFrozen`
 * while a freeze stands in the way.
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
