import type { Caller } from '../../domain/callers';
import type { NetworkName } from '../../domain/networks';
import { inSlot } from '../../domain/slots';
import { movementStore } from '../../entities/movements/movement.store';
import type { Services } from '../services';
import { type Collectible, tokensOn } from '../wallets/families';
import { usableWallet } from '../wallets/wallets';
import { assertRead } from './history';

/**
 * The number is limited, because each token costs some calls to the node, and strangers can send any number of worthless tokens.
 */
const COLLECTIBLES_MAX = 100;

/**
 * The unique tokens of a wallet, newest first. The history contains the tokens that the wallet has received, and the node
 * reports which of these tokens the wallet still owns. Throws the errors of `walletHistory`, `AssetNotSupported` for a family
 * without such tokens, and `NetworkUnavailable` if no node responds.
 */
export async function walletCollectibles(
  services: Services,
  caller: Caller,
  walletId: string,
): Promise<{ readonly network: NetworkName; readonly collectibles: readonly Collectible[] }> {
  const reader = services.db.read(caller.orgId);
  const wallet = await usableWallet(reader, caller, walletId);
  const collectiblesOf = inSlot(tokensOn(wallet.network).collectiblesOf);
  assertRead(wallet.network);
  const received = await movementStore.receivedLast(reader, wallet.id, COLLECTIBLES_MAX);
  return { network: wallet.network, collectibles: await collectiblesOf(services.readers(wallet.network), wallet, received) };
}
