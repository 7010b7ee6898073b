import { bytesToHex, type Hex, hexToBytes } from 'viem';
import type { FullBlockReply, ReceiptReply } from './block-schemas';
import { orderedTrieRoot } from './ordered-trie';
import { data, hashed, quantity, rawOf, rlp, typed } from './transaction-bytes';

/**
 * True if the block's hash follows from the members of its header, and the header's root follows from the transactions. Then no
 * transaction of the block with this hash is missing or altered. False for a block of a network whose headers or transactions
 * have another form. Transactions have the forms of EIP-2718, EIP-2930, EIP-1559, EIP-4844 and EIP-7702. The transactions root
 * covers the signatures from which the senders follow, and `block-signatures.ts` checks the senders that are watched.
 */
export function isBodyProved(block: FullBlockReply): boolean {
  if (headerHash(block) !== block.hash) return false;
  const raws = block.transactions.map(rawOf);
  if (!raws.every((raw, index) => raw !== undefined && hashed(raw) === block.transactions[index]?.hash)) return false;
  return rootOf(raws as Hex[]) === block.transactionsRoot;
}

/** True if the root in the header follows from the receipts. In a block with a proved body, no log is then missing or altered. */
export const areReceiptsProved = (block: FullBlockReply, receipts: readonly ReceiptReply[]): boolean =>
  rootOf(receipts.map(receiptOf)) === block.receiptsRoot;

/** Each later fork appends its members to the members of the earlier forks. */
function headerHash(block: FullBlockReply): string {
  const later = [
    block.baseFeePerGas === undefined || block.baseFeePerGas === null ? undefined : quantity(block.baseFeePerGas),
    block.withdrawalsRoot,
    ...[block.blobGasUsed, block.excessBlobGas].map((one) => (one === undefined || one === null ? undefined : quantity(one))),
    block.parentBeaconBlockRoot,
    block.requestsHash,
  ];
  return hashed(
    rlp([
      ...[block.parentHash, block.sha3Uncles, block.miner, block.stateRoot, block.transactionsRoot, block.receiptsRoot].map(data),
      data(block.logsBloom),
      ...[block.difficulty, block.number, block.gasLimit, block.gasUsed, block.timestamp].map(quantity),
      ...[block.extraData, block.mixHash, block.nonce].map(data),
      ...later.filter((one) => one !== undefined && one !== null).map(data),
    ]),
  );
}

/** A deposit of the OP stack ends with its nonce and version (https://specs.optimism.io/protocol/deposits.html). */
const receiptOf = (receipt: ReceiptReply): Hex =>
  typed(
    receipt.type,
    rlp([
      receipt.status === undefined || receipt.status === null ? data(receipt.root) : quantity(receipt.status),
      quantity(receipt.cumulativeGasUsed),
      data(receipt.logsBloom),
      receipt.logs.map(({ address, topics, data: content }) => [data(address), topics.map(data), data(content)]),
      ...[receipt.depositNonce, receipt.depositReceiptVersion].filter((one) => one !== undefined && one !== null).map(quantity),
    ]),
  );

const rootOf = (values: readonly Hex[]): string => bytesToHex(orderedTrieRoot(values.map((value) => hexToBytes(value))));
