import { findNetwork } from '../../chains/networks';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { mainnetNotNamed, notEnabled } from '../networks/enabled-networks';

/**
 * Throws `NetworkNotEnabled` for a mainnet on which no signature would move the wallet's funds: the charter of the organisation does not name
 * the mainnet, or the key belongs to an end user or may be given to one. The charters of this release know no end users.
 */
export async function assertMainnet(
  reader: Reader,
  name: string,
  key: Pick<KeyEntity, 'delegatedTo' | 'mayBeDelegated'>,
): Promise<void> {
  if (findNetwork(name)?.isMainnet !== true) return;
  if (!(await charterStore.mainnets(reader)).has(name)) throw mainnetNotNamed(name, 'body.network');
  if (key.delegatedTo !== null || key.mayBeDelegated)
    throw notEnabled(`${name} is a mainnet, on which wallets of end users could not sign yet`, 'body.network');
}
