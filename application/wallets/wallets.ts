import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { isKeyNetwork, type NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { violatedIndex } from '../../entities/unique-violation';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import { type WalletAccess, type WalletMetadata, type WalletRecord, walletStore } from '../../entities/wallets/wallet.store';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { viewOf, type WalletView } from './view';

/** An active wallet with an address, on a network where this service can send transactions. */
export type UsableWallet = Omit<WalletEntity, 'network'> & { readonly network: NetworkName; readonly address: string };

/** The holder of balances: a wallet, or the watch of an address. */
export type Holder = Pick<UsableWallet, 'orgId' | 'id' | 'network' | 'address'>;

/** An end user sees only the wallets that are delegated to this user. */
const sees = ({ kind, userId }: Pick<Caller, 'kind' | 'userId'>, key: Pick<KeyEntity, 'delegatedTo'>) =>
  kind !== 'EndUser' || key.delegatedTo === userId;

/**
 * Throws `NotFound` for a key that does not exist or is incomplete. Throws `NotFound` also for an end user to whom the key is
 * not delegated.
 */
export function assertVisibleKey(
  caller: Pick<Caller, 'kind' | 'userId'>,
  key: KeyEntity | undefined,
  keyId: string,
): asserts key is KeyEntity {
  if (!key || key.status === 'Creating' || !sees(caller, key)) throw new AppError('NotFound', 'key not found', { keyId });
}

async function visible(caller: Caller, walletId: string, find: () => Promise<WalletRecord | undefined>): Promise<WalletRecord> {
  const record = isId('wallet', walletId) ? await find() : undefined;
  if (record && record.wallet.status !== 'Creating' && sees(caller, record.key)) return record;
  throw new AppError('NotFound', 'wallet not found', { walletId });
}

/**
 * Throws `NotFound` for a wallet that does not exist or is incomplete. Throws `NotFound` also for an end user to whom the
 * wallet is not delegated.
 */
export function walletOf(reader: Reader, caller: Caller, walletId: string): Promise<WalletRecord> {
  return visible(caller, walletId, () => walletStore.find(reader, walletId));
}

/** Throws `NotFound` in the same cases as `walletOf`. */
export function assertVisibleWallet(caller: Caller, walletId: string, access: WalletAccess | undefined): void {
  if (access && access.status !== 'Creating' && sees(caller, access)) return;
  throw new AppError('NotFound', 'wallet not found', { walletId });
}

/** Locks the wallet's row until the transaction ends. Throws the errors of `walletOf`. */
export function lockWalletOf(tx: Tx, caller: Caller, walletId: string): Promise<WalletRecord> {
  return visible(caller, walletId, () => walletStore.lock(tx, walletId));
}

/** Throws the errors of `walletOf` and `usableOf`. */
export async function usableWallet(reader: Reader, caller: Caller, walletId: string): Promise<UsableWallet> {
  return usableOf((await walletOf(reader, caller, walletId)).wallet);
}

/** Throws `WrongState` for a wallet that is no longer active, and `NetworkNotEnabled` for a wallet that only signs. */
export function usableOf(wallet: WalletEntity): UsableWallet {
  const { id: walletId, status, address, network } = wallet;
  if (status !== 'Active') throw new AppError('WrongState', 'wallet is not active', { walletId });
  if (isKeyNetwork(network)) throw new AppError('NetworkNotEnabled', `a wallet on ${network} only signs`, { walletId });
  invariant(address !== null, `the wallet ${walletId} is complete`);
  return { ...wallet, network, address };
}

/** The 409 for an external id that another wallet has. */
export const externalIdTaken = (duplicate: Pick<WalletEntity, 'id' | 'externalId'> | undefined) =>
  new AppError('Conflict', 'Conflicting wallet with same externalId', {
    ...(duplicate ? { duplicate: { id: duplicate.id, externalId: duplicate.externalId } } : {}),
  });

type WalletChange = {
  readonly name?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  /** Replaces all members. */
  readonly metadata?: WalletMetadata | null | undefined;
};

/** Null deletes a member. Throws `NotFound`, and `Conflict` if another wallet has the external id. */
export async function updateWallet(
  services: Services,
  authority: Authority,
  walletId: string,
  { name, externalId, metadata }: WalletChange,
): Promise<WalletView> {
  const { caller } = authority;
  const set = { ...(name === undefined ? {} : { name }), ...(externalId === undefined ? {} : { externalId }) };
  try {
    return await act(services.db, authority, async (tx) => {
      const record = await lockWalletOf(tx, caller, walletId);
      if (name === undefined && externalId === undefined && metadata === undefined) return viewOf(record);
      await walletStore.change(tx, walletId, set);
      if (metadata !== undefined) await walletStore.replaceMetadata(tx, walletId, metadata ?? {});
      return viewOf(await lockWalletOf(tx, caller, walletId));
    });
  } catch (error) {
    if (violatedIndex(error) === undefined || !externalId) throw error;
    throw externalIdTaken(await walletStore.findByExternalId(services.db.read(caller.orgId), externalId));
  }
}
