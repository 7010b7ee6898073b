import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concat, type Hex, hexToBytes, toRlp } from 'viem';
import type { FullBlockReply, ReceiptReply, TransactionReply } from './block-schemas';
import { orderedTrieRoot } from './ordered-trie';

type Item = Hex | readonly Item[];
type Text = string | null | undefined;

/**
 * True if the block's hash follows from the members of its header, and the header's roots follow from the transactions and
 * receipts. Then no transaction and no log of the block with this hash is missing or altered. False for a block of a network
 * whose headers or transactions have another form. Transactions have the forms of EIP-2718, EIP-2930, EIP-1559, EIP-4844 and
 * EIP-7702. The transactions root covers the signatures from which the senders follow, and `block-movements.ts` checks the
 * senders that matter.
 */
export function isProved(block: FullBlockReply, receipts: readonly ReceiptReply[]): boolean {
  if (headerHash(block) !== block.hash) return false;
  const raws = block.transactions.map(rawOf);
  if (!raws.every((raw, index) => raw !== undefined && hashed(raw) === block.transactions[index]?.hash)) return false;
  return rootOf(raws as Hex[]) === block.transactionsRoot && rootOf(receipts.map(receiptOf)) === block.receiptsRoot;
}

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

const accessListOf = ({ accessList }: TransactionReply): Item =>
  (accessList ?? []).map(({ address, storageKeys }) => [data(address), storageKeys.map(data)]);

const signatureOf = ({ yParity, v, r, s }: TransactionReply): Item[] => [quantity(yParity ?? v), quantity(r), quantity(s)];

/** The members that follow the prices in a transaction of every type. */
const callOf = ({ gas, to, value, input }: TransactionReply): Item[] => [quantity(gas), data(to), quantity(value), data(input)];

const dynamicOf = (tx: TransactionReply): Item[] => [
  ...[tx.chainId, tx.nonce, tx.maxPriorityFeePerGas, tx.maxFeePerGas].map(quantity),
  ...callOf(tx),
  accessListOf(tx),
];

/** The members of a transaction, by transaction type. */
const MEMBERS: Readonly<Record<string, (tx: TransactionReply) => Item[]>> = {
  '0x0': (tx) => [quantity(tx.nonce), quantity(tx.gasPrice), ...callOf(tx), quantity(tx.v), quantity(tx.r), quantity(tx.s)],
  '0x1': (tx) => [...[tx.chainId, tx.nonce, tx.gasPrice].map(quantity), ...callOf(tx), accessListOf(tx), ...signatureOf(tx)],
  '0x2': (tx) => [...dynamicOf(tx), ...signatureOf(tx)],
  '0x3': (tx) => [...dynamicOf(tx), quantity(tx.maxFeePerBlobGas), (tx.blobVersionedHashes ?? []).map(data), ...signatureOf(tx)],
  '0x4': (tx) => [
    ...dynamicOf(tx),
    (tx.authorizationList ?? []).map((one) => [
      ...[quantity(one.chainId), data(one.address), quantity(one.nonce), quantity(one.yParity), quantity(one.r), quantity(one.s)],
    ]),
    ...signatureOf(tx),
  ],
};

/** Undefined for a type of another network. */
function rawOf(tx: TransactionReply): Hex | undefined {
  const members = MEMBERS[tx.type]?.(tx);
  return members && typed(tx.type, rlp(members));
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

const typed = (type: string, bytes: Hex): Hex =>
  BigInt(type) === 0n ? bytes : concat([`0x${type.slice(2).padStart(2, '0')}`, bytes]);
const rootOf = (values: readonly Hex[]): string => bytesToHex(orderedTrieRoot(values.map((value) => hexToBytes(value))));
const rlp = (items: readonly Item[]): Hex => toRlp(items as Parameters<typeof toRlp>[0], 'hex') as Hex;
const hashed = (bytes: Hex): string => bytesToHex(keccak_256(hexToBytes(bytes)));
const data = (text: Text): Hex => (text ?? '0x') as Hex;

/** Without leading zeros; zero is the empty string. */
function quantity(text: Text): Hex {
  const digits = (text ?? '0x').slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}
