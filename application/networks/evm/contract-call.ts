import { evmCodecOf } from '../../../chains/codecs';
import type { AbiFunction, FunctionArguments } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import type { ChainReader } from '../../../chains/types';
import type { NetworkName } from '../../../domain/networks';
import { addressAt } from '../../request-faults';

export type FunctionRead = {
  readonly contract: string;
  readonly abi: AbiFunction;
  readonly calldata?: FunctionArguments | undefined;
};

/** Calls the function without sending a transaction. */
export async function callEvmFunction(
  reader: ChainReader,
  network: NetworkName,
  { contract, abi, calldata = {} }: FunctionRead,
): Promise<unknown> {
  const codec = evmCodecOf(network);
  const address = addressAt('contract', () => codec.parseAddress(contract));
  const answer = await inFamily('evm', reader).call(address, codec.encodeFunction(abi, calldata, 'body'), 'body.contract');
  return codec.decodeAnswer(abi, answer, 'body');
}
