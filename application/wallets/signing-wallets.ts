import type { Caller } from '../../domain/callers';
import type { KeyStoreKind } from '../../domain/key-stores';
import type { Reader } from '../../entities/database';
import { freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import { targetFrozen } from '../freezes/active-freezes';
import { assertMaySign } from '../keys/key-use';
import { storeKindOf } from '../keys/store-kind';
import { type UsableWallet, usableOf, walletOf } from './wallets';

export type SigningWallet = UsableWallet & { readonly storeKind: KeyStoreKind };

/** Throws the errors of `walletOf`, `usableOf` and `assertMaySign`. Throws `TargetFrozen` while a freeze stops the wallet. */
export async function signingWallet(reader: Reader, caller: Caller, walletId: string): Promise<SigningWallet> {
  const [{ wallet, key }, freeze] = await Promise.all([
    walletOf(reader, caller, walletId),
    freezeRecordStore.reachingWallets(reader, [walletId]),
  ]);
  const usable = usableOf(wallet);
  assertMaySign(caller, key);
  if (freeze) throw targetFrozen(freeze);
  return { ...usable, storeKind: storeKindOf(key) };
}
