import { assertTierHas } from '../../domain/capability-tiers';
import type { Services } from '../services';
import { enabledNetwork } from './enabled-networks';
import { ASKED_FAMILIES } from './families';

/**
 * Throws `NetworkNotEnabled` for a network without a record or a node. Throws `NotFound` if the network's tier has no fee
 * estimates, and `NetworkUnavailable` if no node responds.
 */
export async function feesOf(services: Pick<Services, 'readers'>, name: string) {
  const { network, reader } = enabledNetwork(services, name, 'query.network');
  assertTierHas(network, 'Fees');
  const fees = await reader.feeEstimates();
  return { network: network.name, blockNumber: fees.blockNumber, ...ASKED_FAMILIES[network.family].shownFees(fees) };
}
