import { encodeFunctionData, parseAbi } from 'viem/utils';
import { AppError } from '../../../domain/errors';
import { Data, type Rpc } from '../../rpc/rpc';
import type { Hex } from '../call';

/** The contract has the same address on every chain of the OP stack (https://specs.optimism.io/protocol/predeploys.html). */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const ABI = parseAbi(['function getL1Fee(bytes unsignedTransaction) view returns (uint256)']);
/** The signed bytes do not limit the data fee, and the price of data on Ethereum may double before the transaction is mined. */
const MARGIN_FACTOR = 2n;

/** The present fee in wei, times `MARGIN_FACTOR`. Throws `NetworkUnavailable` if the node does not return the fee. */
export async function dataFeeOf(ask: Rpc, network: string, unsigned: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'getL1Fee', args: [unsigned] });
  const answer = await ask('eth_call', [{ to: GAS_PRICE_ORACLE, data }, 'latest'], Data);
  if (answer.length !== 66)
    throw new AppError('NetworkUnavailable', `The node of ${network} does not return the fee for data`, { network });
  return BigInt(answer) * MARGIN_FACTOR;
}
