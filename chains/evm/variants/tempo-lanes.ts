import { encodeFunctionData, parseAbi } from 'viem/utils';
import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import { Data, type Rpc } from '../../rpc/rpc';
import { asHex } from '../call';

/**
 * This contract counts the nonces under every nonce key except 0, which stands for the account's own nonce
 * (https://docs.tempo.xyz/protocol/transactions/spec-tempo-transaction).
 */
const NONCE_MANAGER = '0x4e4F4E4345000000000000000000000000000000';
const ABI = parseAbi(['function getNonce(address account, uint256 nonceKey) view returns (uint64 nonce)']);

export async function keyedCountOf(
  ask: Rpc,
  network: NetworkName,
  address: string,
  nonceKey: bigint,
  block = 'latest',
): Promise<number> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'getNonce', args: [asHex(address), nonceKey] });
  const answer = await ask('eth_call', [{ to: NONCE_MANAGER, data }, block], Data);
  if (answer.length !== 66 || BigInt(answer) > BigInt(Number.MAX_SAFE_INTEGER))
    throw new AppError('NetworkUnavailable', `The node of ${network} does not count the nonces of keys`, { network });
  return Number(BigInt(answer));
}
