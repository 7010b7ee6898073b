import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { quantityOf } from '../../rpc/rpc';
import type { FullBlockReply, ReceiptReply } from './block-schemas';
import { orderedTrieRoot } from './ordered-trie';
import { data, hashed, type Item, quantity, rlp, type Text, typed } from './rlp-items';
import { rawOf } from './transaction-bytes';

/**
 * True if the block's hash follows from the members of its header, and the header's root follows from the transactions. Then no
 * transaction of the block with this hash is missing or altered. False if the header or a transaction has an unknown form. The
 * known forms of transactions are those of EIP-2718, EIP-2930, EIP-1559, EIP-4844, EIP-7702 and CIP-64, of a deposit into a
 * rollup of the OP stack, and of Tempo. The transactions root covers the signatures from which the senders follow, and
 * `block-signatures.ts` checks the senders that are watched.
 */
export function isBodyProved(block: FullBlockReply): boolean {
  if (!headerHashes(block).includes(block.hash)) return false;
  const raws = block.transactions.map(rawOf);
  if (!raws.every((raw, index) => raw !== undefined && hashed(raw) === block.transactions[index]?.hash)) return false;
  return rootOf(raws as Hex[]) === block.transactionsRoot;
}

/** True if the root in the header follows from the receipts. Then no log of a block with a proved body is missing or altered. */
export const areReceiptsProved = (block: FullBlockReply, receipts: readonly ReceiptReply[]): boolean =>
  rootOf(receipts.map(receiptOf)) === block.receiptsRoot;

/**
 * The hash of Ethereum's header, and the hash of Tempo's header, which contains Ethereum's header as one member (tempoxyz/tempo,
 * `crates/primitives/src/header.rs`). Either hash proves the roots. Local chains that imitate Tempo use the first hash.
 */
function headerHashes(block: FullBlockReply): string[] {
  const { mainBlockGeneralGasLimit, sharedGasLimit, timestampMillisPart, consensusContext } = block;
  const header = headerOf(block);
  if (!isPresent(mainBlockGeneralGasLimit)) return [hashed(rlp(header))];
  const own = [mainBlockGeneralGasLimit, sharedGasLimit, timestampMillisPart].map(quantity);
  return [header, [...own, header, ...(consensusContext ? [contextOf(consensusContext)] : [])]].map((one) => hashed(rlp(one)));
}

const contextOf = ({ epoch, view, parentView, proposer }: NonNullable<FullBlockReply['consensusContext']>): Item => [
  ...[epoch, view, parentView].map((one) => quantity(quantityOf(one))),
  data(proposer),
];

/** Each later fork appends its members to the members of the earlier forks. */
function headerOf(block: FullBlockReply): Item[] {
  const later = [
    ...[numberIn(block.baseFeePerGas), hashIn(block.withdrawalsRoot)],
    ...[block.blobGasUsed, block.excessBlobGas].map(numberIn),
    ...[block.parentBeaconBlockRoot, block.requestsHash].map(hashIn),
    // EIP-7928 and EIP-7843
    ...[hashIn(block.blockAccessListHash), numberIn(block.slotNumber)],
  ];
  return [
    ...[block.parentHash, block.sha3Uncles, block.miner, block.stateRoot, block.transactionsRoot, block.receiptsRoot].map(data),
    data(block.logsBloom),
    ...[block.difficulty, block.number, block.gasLimit, block.gasUsed, block.timestamp].map(quantity),
    ...[block.extraData, block.mixHash, block.nonce].map(data),
    ...later.flat(),
  ];
}

/** A deposit of the OP stack ends with its nonce and version (https://specs.optimism.io/protocol/deposits.html). */
const receiptOf = (receipt: ReceiptReply): Hex =>
  typed(
    receipt.type,
    rlp([
      isPresent(receipt.status) ? quantity(receipt.status) : data(receipt.root),
      quantity(receipt.cumulativeGasUsed),
      data(receipt.logsBloom),
      receipt.logs.map(({ address, topics, data: content }) => [data(address), topics.map(data), data(content)]),
      ...[receipt.depositNonce, receipt.depositReceiptVersion].filter(isPresent).map(quantity),
    ]),
  );

const rootOf = (values: readonly Hex[]): string => bytesToHex(orderedTrieRoot(values.map((value) => hexToBytes(value))));

const numberIn = (text: Text): Hex[] => (isPresent(text) ? [quantity(text)] : []);
const hashIn = (text: Text): Hex[] => (isPresent(text) ? [data(text)] : []);
const isPresent = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;
