import { encodeEventTopics, parseAbi } from 'viem/utils';
import { z } from 'zod';
import { Hash } from '../rpc/rpc';
import { ENTRY_POINT } from './user-operations';

const EVENT = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);
const [TOPIC] = encodeEventTopics({ abi: EVENT, eventName: 'UserOperationEvent' });
/** Four words: nonce, success, cost and gas. */
const DATA = /^0x[0-9a-f]{64}0{63}([01])[0-9a-f]{128}$/;

export const Logs = z.array(
  z.object({ address: z.string(), topics: z.array(z.string()), data: z.string(), transactionHash: Hash }),
);

/** What the entry point says of an operation of this hash; undefined where it says nothing. */
export function endOfOperation(
  logs: z.infer<typeof Logs>,
  hash: string,
): { readonly success: boolean; readonly txHash: string } | undefined {
  for (const { address, topics, data, transactionHash: txHash } of logs) {
    if (address.toLowerCase() !== ENTRY_POINT.toLowerCase() || topics[0] !== TOPIC || topics[1] !== hash) continue;
    const [, success] = DATA.exec(data) ?? [];
    if (success !== undefined) return { success: success === '1', txHash };
  }
  return undefined;
}

/** The question to a node for that event between two blocks. */
export const searchFor = (hash: string, fromBlock: string, toBlock: string) => ({
  address: ENTRY_POINT,
  topics: [TOPIC, hash],
  fromBlock,
  toBlock,
});
