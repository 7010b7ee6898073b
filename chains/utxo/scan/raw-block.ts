import { ByteReader, Unreadable } from '../decoder-bytes';
import type { UtxoNetwork } from '../types';
import { merkleRoot } from './merkle-root';
import { HEADER_BYTES, hasWork, targetOf, workedHeader } from './proof-of-work';
import { hashTwice, paysReward, type RawTransaction, readRawTransaction, reversedHex } from './raw-transaction';

export type RawBlock = {
  readonly hash: string;
  readonly parentHash: string;
  readonly height: number;
  readonly date: Date;
  readonly target: bigint;
  readonly transactions: readonly RawTransaction[];
};

const PARENT_AT = 4;
const ROOT_AT = 36;
const TIME_AT = 68;
const MILLIS = 1_000;
/** The instructions that push the numbers 1 to 16 (BIP34). */
const PUSH_ONE = 0x51;
const PUSH_SIXTEEN = 0x60;
const HEIGHT_BYTES_MAX = 4;

/**
 * Reads a whole block, and throws `Unreadable` unless everything follows from the hash of its header: every transaction without
 * its witnesses, and the height. So a node cannot leave out, duplicate or alter anything in a block with this hash. Witnesses
 * move nothing; `witness-commitment.ts` compares them with their commitment where a signature matters.
 */
export function readRawBlock(network: UtxoNetwork, bytes: Buffer): RawBlock {
  const reader = new ByteReader(bytes);
  const header = reader.take(HEADER_BYTES);
  const worked = workedHeader(network, header, reader);
  const target = targetOf(header);
  if (!hasWork(network, worked, target)) throw new Unreadable('the work of a block is missing');
  const transactions: RawTransaction[] = [];
  for (let left = reader.count(); left > 0; left -= 1) transactions.push(readRawTransaction(reader));
  if (!reader.isAtEnd && network.hasExtensionBlocks !== true) throw new Unreadable('there are bytes after the block');
  const [reward, ...others] = transactions;
  // Hashes inside the tree cannot be passed off as transactions, because the first transaction would have to be a reward, which
  // contains 32 zero bytes in a row.
  if (!reward || !paysReward(reward) || others.some(paysReward)) throw new Unreadable('the reward is not the first transaction');
  const root = merkleRoot(transactions.map(({ txid }) => Buffer.from(txid, 'hex').reverse()));
  if (!root.equals(header.subarray(ROOT_AT, ROOT_AT + 32))) throw new Unreadable('the transactions are not those of the block');
  return {
    hash: reversedHex(hashTwice(header)),
    parentHash: reversedHex(header.subarray(PARENT_AT, ROOT_AT)),
    height: heightIn(reward.inputs[0]?.script ?? Buffer.alloc(0)),
    date: new Date(header.readUInt32LE(TIME_AT) * MILLIS),
    target,
    transactions,
  };
}

/** BIP34. Only blocks that are many years old lack their height. */
function heightIn(script: Buffer): number {
  const first = script[0] ?? 0;
  if (first >= PUSH_ONE && first <= PUSH_SIXTEEN) return first - PUSH_ONE + 1;
  if (first === 0 || first > HEIGHT_BYTES_MAX || script.length <= first) throw new Unreadable('the block has no height');
  return script.readUIntLE(1, first);
}
