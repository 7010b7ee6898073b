import { assertTierHas } from '../../domain/capability-tiers';
import type { Services } from '../services';
import { enabledNetwork, notEnabled } from './enabled-networks';
import type { FunctionRead } from './evm/contract-call';
import { ASKED_FAMILIES } from './families';

/**
 * Asks a contract, and changes nothing, whatever its function does. Throws `NetworkNotEnabled` where there is none to ask, `NotFound` where the
 * tier has no such answers, `InvalidRequest` for a function or arguments that do not fit, and `CallReverted` with the contract's own reason.
 */
export async function callFunction(services: Pick<Services, 'readers'>, name: string, read: FunctionRead): Promise<unknown> {
  const { network, reader } = enabledNetwork(services, name, 'params.network');
  const call = ASKED_FAMILIES[network.family].callFunction;
  if (!call) throw notEnabled(`${name} has no contracts to ask`, 'params.network');
  assertTierHas(network, 'ContractReads');
  return call(reader, network.name, read);
}
