import { networkOf, twinsOf } from '../../chains/networks';
import { isKeyNetwork, type WalletNetworkName } from '../../domain/networks';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader } from '../../entities/database';
import type { NewKey } from '../../entities/keys/key-record.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { networksOfHolder } from '../keys/holders';
import { notEnabled } from '../networks/enabled-networks';
import { badField } from '../request-faults';

/**
 * Throws `NetworkNotEnabled` for a mainnet on which the signer would not sign for the wallet. The signer does not sign on a
 * mainnet that the organisation's charter does not list. Two more conditions apply to a key that belongs to an end user or may
 * be delegated to an end user. The signer must have recorded the end user as the holder of the key, and the charter must let end
 * users sign on mainnets.
 */
export async function assertMainnet(
  reader: Reader,
  name: WalletNetworkName,
  key: Pick<NewKey, 'delegatedTo' | 'mayBeDelegated' | 'derivedFrom' | 'askingActionId'>,
): Promise<void> {
  if (isKeyNetwork(name) || !networkOf(name).isMainnet) return;
  if (!(await charterStore.mainnets(reader)).has(name))
    throw notEnabled(`${name} is a mainnet, and the charter of the organisation does not name it`, 'body.network');
  if (key.delegatedTo === null && !key.mayBeDelegated) return;
  if ((await networksOfHolder(reader, key)) !== 'All')
    throw notEnabled(`${name} is a mainnet, on which this wallet of an end user could not sign`, 'body.network');
}

/** Throws `NetworkNotEnabled` for a mainnet. */
export function assertTestNetwork(name: WalletNetworkName): void {
  if (!isKeyNetwork(name) && networkOf(name).isMainnet)
    throw notEnabled(`${name} is a mainnet, on which a registration creates no wallets: use \`createWallet\``, 'body.wallets');
}

/**
 * Throws `InvalidRequest` if the key has a wallet on another network where signatures for the new wallet would also be valid, and
 * one of the two networks is a mainnet. The signer would then sign for neither wallet.
 */
export async function assertNoTwin(reader: Reader, name: WalletNetworkName, keyId: string): Promise<void> {
  if (isKeyNetwork(name)) return;
  const network = networkOf(name);
  const twins = new Map(twinsOf(network).map((twin) => [twin.name as string, twin]));
  for (const { wallet } of await walletStore.ofKey(reader, keyId)) {
    const twin = twins.get(wallet.network);
    if (twin && (twin.isMainnet || network.isMainnet))
      throw badField('signingKey.id', `has a wallet on ${twin.name}, where its signatures for ${name} would be valid too`);
  }
}
