import { encodeFunctionData } from 'viem/utils';
import { AppError } from '../../domain/errors';
import { Data, Quantity, type Rpc } from '../rpc/rpc';
import { asHex, ERC20 } from './call';
import type { EvmNetwork } from './types';

/** Native units have this many decimals on every EVM network, whatever the token has that stands for them. */
const DECIMALS = 18;

/** What the sender can pay fees from, in the unit that fees are counted in. */
export async function feeBalanceOf(ask: Rpc, network: EvmNetwork, address: string, feeCurrency?: string): Promise<bigint> {
  const { name } = network;
  // A currency of Celo is counted in 10^-18, whatever its own decimals are; those that are listed have as many themselves.
  const feeToken = feeCurrency === undefined ? network.feeToken : { contract: feeCurrency, decimals: DECIMALS };
  if (!feeToken) return ask('eth_getBalance', [address, 'latest'], Quantity);
  const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [asHex(address)] });
  const answer = await ask('eth_call', [{ to: feeToken.contract, data }, 'latest'], Data);
  if (answer.length !== 66)
    throw new AppError('NetworkUnavailable', `The node of ${name} does not know the token that pays fees`, { network: name });
  return BigInt(answer) * feeTokenScale(feeToken.decimals);
}

/** Fee units in one unit of a token of so many decimals. */
const feeTokenScale = (decimals: number): bigint => 10n ** BigInt(DECIMALS - decimals);
