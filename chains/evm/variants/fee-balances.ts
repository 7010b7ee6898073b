import { encodeFunctionData } from 'viem/utils';
import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import { Data, Quantity, type Rpc } from '../../rpc/rpc';
import { asHex, ERC20 } from '../call';

export const coinBalance = (ask: Rpc, address: string): Promise<bigint> => ask('eth_getBalance', [address, 'latest'], Quantity);

/** The balance in the token's own units. Throws `NetworkUnavailable` if the node does not know the token. */
export async function feeTokenBalance(ask: Rpc, network: NetworkName, contract: string, address: string): Promise<bigint> {
  const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [asHex(address)] });
  const answer = await ask('eth_call', [{ to: contract, data }, 'latest'], Data);
  if (answer.length !== 66)
    throw new AppError('NetworkUnavailable', `The node of ${network} does not know the token that pays fees`, { network });
  return BigInt(answer);
}
