import { evmCodecOf } from '../../chains/codecs';
import type { AbiFunction, FunctionArguments } from '../../chains/evm/types';
import { isOfFamily } from '../../chains/families';
import { assertTierHas } from '../../domain/capability-tiers';
import { addressAt } from '../request-faults';
import type { Services } from '../services';
import { enabledNetwork, notEnabled } from './enabled-networks';

type FunctionRead = {
  readonly contract: string;
  readonly abi: AbiFunction;
  readonly calldata?: FunctionArguments | undefined;
};

/**
 * Asks a contract, and changes nothing, whatever its function does. Throws `NetworkNotEnabled` where there is none to ask, `NotFound` where the
 * tier has no such answers, `InvalidRequest` for a function or arguments that do not fit, and `CallReverted` with the contract's own reason.
 */
export async function callFunction(
  services: Pick<Services, 'readers'>,
  name: string,
  { contract, abi, calldata = {} }: FunctionRead,
): Promise<unknown> {
  const { network, reader } = enabledNetwork(services, name, 'params.network');
  if (!isOfFamily('evm', reader)) throw notEnabled(`${name} has no contracts to ask`, 'params.network');
  assertTierHas(network, 'ContractReads');
  const codec = evmCodecOf(network.name);
  const address = addressAt('contract', () => codec.parseAddress(contract));
  const answer = await reader.call(address, codec.encodeFunction(abi, calldata, 'body'), 'body.contract');
  return codec.decodeAnswer(abi, answer, 'body');
}
