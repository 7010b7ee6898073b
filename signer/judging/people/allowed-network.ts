import { decoderOf } from '../../../chains/decoders';
import { findNetwork, isFormOf, twinsOf } from '../../../chains/networks';
import type { Network } from '../../../chains/types';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Arithmetic } from '../../protocol';
import { refuseUnless } from '../../wire/refusal';
import type { KeyOfOrder } from '../judged-orders';

/**
 * Throws the `Refusal` `MainnetNotAllowed` for a mainnet that the charter of the organisation does not name, and for every
 * mainnet if the arithmetic leaves copies of keys in memory. Also throws `MainnetNotAllowed` for a test network if the signature
 * could move the funds of another wallet of the charter on a mainnet.
 */
export function assertNetworkAllowed(
  name: string | undefined,
  key: KeyOfOrder,
  charter: CharterInForce | undefined,
  arithmetic: Arithmetic,
): void {
  const network = name === undefined ? undefined : findNetwork(name);
  if (!network) return;
  if (network.isMainnet) {
    const isNamed = charter?.content.mainnets?.includes(network.name) === true;
    refuseUnless(isNamed && arithmetic === 'native', 'MainnetNotAllowed');
  }
  refuseUnless(!charter || !movesOnMainnet(network, key, charter), 'MainnetNotAllowed');
}

/**
 * The bytes of Solana and of Bitcoin's family do not specify the network. The worker chooses the blockhash or the coins, and
 * could choose those of a mainnet for an order on a test network.
 */
const movesOnMainnet = (network: Network, key: KeyOfOrder, { content }: CharterInForce): boolean =>
  twinsOf(network)
    .filter((twin) => twin.isMainnet && isFormOf(twin, key))
    .some((twin) => {
      const address = decoderOf(twin.name).addressOf(key.publicKeyHex);
      return content.wallets.some((wallet) => wallet.network === twin.name && wallet.address === address);
    });
