import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import type { Reader } from '../entities/database';
import { type UsableWallet, walletOf } from './wallets';

/**
 * The wallet that a caller wants to sign with. Throws as `usableWallet` does, and `Forbidden` for anybody but the end user when its key
 * is delegated: from then on the key is that user's alone, the organisation's staff only sees it.
 */
export async function signingWallet(reader: Reader, caller: Caller, walletId: string): Promise<UsableWallet> {
  const { wallet, key } = await walletOf(reader, caller, walletId);
  if (key.delegatedTo !== null && key.delegatedTo !== caller.userId) {
    throw new AppError('Forbidden', 'the key of this wallet is delegated: only its end user can sign', { walletId });
  }
  const { status, address } = wallet;
  if (status !== 'Active' || address === null) throw new AppError('WrongState', 'wallet is not active', { walletId });
  return { ...wallet, address };
}
