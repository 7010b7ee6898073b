import { encodeEventTopics, pad, parseAbi } from 'viem/utils';
import { z } from 'zod';
import { Hash, SmallQuantity } from '../rpc/rpc';
import type { BlockRef } from '../types';
import { asHex } from './call';
import { ENTRY_POINT } from './user-operations';

const EVENT = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);
const [TOPIC] = encodeEventTopics({ abi: EVENT, eventName: 'UserOperationEvent' });
/** The event's data is four words: nonce, success, cost and gas. */
const DATA = /^0x([0-9a-f]{64})0{63}([01])[0-9a-f]{128}$/;

export const Logs = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    transactionHash: Hash,
    blockNumber: SmallQuantity.nullish(),
    blockHash: Hash.nullish(),
  }),
);
type Log = z.infer<typeof Logs>[number];
export type OperationEnd = {
  readonly hash: string;
  readonly nonce: bigint;
  readonly success: boolean;
  readonly txHash: string;
  /** Null while the transaction is pending. */
  readonly block: BlockRef | null;
};

/** Undefined for any other event. */
function endIn({
  address,
  topics: [topic, hash],
  data,
  transactionHash: txHash,
  blockNumber,
  blockHash,
}: Log): OperationEnd | undefined {
  if (address.toLowerCase() !== ENTRY_POINT.toLowerCase() || topic !== TOPIC || hash === undefined) return undefined;
  const [, nonce, success] = DATA.exec(data) ?? [];
  if (nonce === undefined || success === undefined) return undefined;
  const block = blockNumber != null && blockHash != null ? { height: blockNumber, hash: blockHash } : null;
  return { hash, nonce: BigInt(`0x${nonce}`), success: success === '1', txHash, block };
}

export const endsOfOperations = (logs: readonly Log[]): readonly OperationEnd[] => logs.flatMap((log) => endIn(log) ?? []);

export const searchFor = (sender: string, fromBlock: string) => ({
  address: ENTRY_POINT,
  topics: [TOPIC, null, pad(asHex(sender)).toLowerCase()],
  fromBlock,
  toBlock: 'latest',
});
