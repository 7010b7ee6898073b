import type { Caller } from '../../domain/callers';
import { isId } from '../../domain/ids';
import type { Reader } from '../../entities/database';
import { userStore } from '../../entities/users/user.store';
import { type WalletFilter, type WalletRecord, walletStore } from '../../entities/wallets/wallet.store';
import type { Services } from '../services';

export type WalletQuery = Omit<WalletFilter, 'delegatedTo' | 'holds'> & {
  readonly assetSymbol?: string | undefined;
  readonly holdsTokens?: true | undefined;
  /** The id or the username of the user to whom the key is delegated. */
  readonly owner?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly ownerUsername?: string | undefined;
};

/**
 * Newest first, at most `rowsMax`. An end user sees only wallets that are delegated to this user. If the query of an end user
 * specifies a different owner, the list is empty.
 */
export async function listWallets(
  services: Services,
  caller: Caller,
  { owner, ownerId, ownerUsername, assetSymbol, holdsTokens, ...filter }: WalletQuery,
  rowsMax: number,
): Promise<WalletRecord[]> {
  const reader = services.db.read(caller.orgId);
  const named: (string | undefined)[] = [];
  if (owner !== undefined) named.push(isId('user', owner) ? owner : await userNamed(reader, owner));
  if (ownerId !== undefined) named.push(ownerId);
  if (ownerUsername !== undefined) named.push(await userNamed(reader, ownerUsername));
  if (caller.kind === 'EndUser') named.push(caller.userId);
  const owners = new Set(named);
  const [delegatedTo] = owners;
  // A wallet has only one owner, and a user who does not exist owns no wallet.
  if (owners.size > 1 || (owners.size === 1 && delegatedTo === undefined)) return [];
  const holds = assetSymbol === undefined ? holdsTokens && 'Any' : { symbol: assetSymbol };
  return walletStore.list(reader, { ...filter, delegatedTo, holds }, rowsMax);
}

async function userNamed(reader: Reader, username: string): Promise<string | undefined> {
  return (await userStore.findByUsername(reader, username))?.id;
}
