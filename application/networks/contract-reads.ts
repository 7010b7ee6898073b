import { assertTierHas } from '../../domain/capability-tiers';
import type { Services } from '../services';
import { enabledNetwork, notEnabled } from './enabled-networks';
import type { FunctionRead } from './evm/contract-call';
import { ASKED_FAMILIES } from './families';

/**
 * Calls a contract to read from it; a function that changes state is only simulated. Throws `NetworkNotEnabled` if the network
 * has no node or no contracts, `NotFound` if its tier has no contract reads, `InvalidRequest` for a function or arguments that
 * do not fit, and `CallReverted` with the contract's own reason.
 */
export async function callFunction(services: Pick<Services, 'readers'>, name: string, read: FunctionRead): Promise<unknown> {
  const { network, reader } = enabledNetwork(services, name, 'params.network');
  const call = ASKED_FAMILIES[network.family].callFunction;
  if (!call) throw notEnabled(`${name} has no contracts to query`, 'params.network');
  assertTierHas(network, 'ContractReads');
  return call(reader, network.name, read);
}
