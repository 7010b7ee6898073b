import { encodeFunctionData, parseAbi } from 'viem/utils';
import type { TransferIntent } from '../types';

export const ERC20 = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
]);

export type Hex = `0x${string}`;

export const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`;

/** The call that carries out a transfer: a plain one of value, or the token's `transfer`. */
export function callOf(intent: TransferIntent): { to: Hex; value: bigint; data: Hex } {
  const to = asHex(intent.to);
  if (intent.asset.kind === 'Native') return { to, value: intent.amountUnits, data: '0x' };
  const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, intent.amountUnits] });
  return { to: asHex(intent.asset.contract), value: 0n, data };
}
