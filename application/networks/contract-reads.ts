import { assertTierHas } from '../../domain/capability-tiers';
import type { Services } from '../services';
import { enabledNetwork, notEnabled } from './enabled-networks';
import type { FunctionRead } from './evm/contract-call';
import { ASKED_FAMILIES } from './families';

/**
 * Calls a function of a contract. Sends no transaction, so a change of state is only simulated. Throws `NetworkNotEnabled` if the
 * network has no record, no node or no contracts, and `NotFound` if the network's tier has no contract reads. Throws
 * `InvalidRequest` if the arguments do not fit the function, and `CallReverted` with the contract's reason if the call reverts.
 */
export async function callFunction(services: Pick<Services, 'readers'>, name: string, read: FunctionRead): Promise<unknown> {
  const { network, reader } = enabledNetwork(services, name, 'params.network');
  const call = ASKED_FAMILIES[network.family].callFunction;
  if (!call) throw notEnabled(`${name} has no contracts to query`, 'params.network');
  assertTierHas(network, 'ContractReads');
  return call(reader, network.name, read);
}
