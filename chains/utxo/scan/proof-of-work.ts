import { scryptSync } from 'node:crypto';
import { type ByteReader, Unreadable } from '../decoder-bytes';
import type { UtxoNetwork } from '../types';
import { rootOfBranch } from './merkle-root';
import { hashTwice, readRawTransaction, reversedHex } from './raw-transaction';

export const HEADER_BYTES = 80;
const BITS_AT = 72;
const ROOT_AT = 36;
const SCRYPT = { N: 1_024, r: 1, p: 1 };
/**
 * If a header's version has this bit, the proof of work belongs to a block of another chain (merge mining). That block follows
 * the header.
 */
const MERGE_MINED = 0x100;
/** A longer branch would belong to a tree with more leaves than a block can have. */
const BRANCH_MAX = 32;

/**
 * Returns the header whose hash has to meet the target. For a merge-mined block, this is the header of the other chain's block,
 * whose reward transaction names this block (https://en.bitcoin.it/wiki/Merged_mining_specification). For any other block, this
 * is the block's own header. The reader is at the end of the block's own header.
 */
export function workedHeader({ mergeMined }: UtxoNetwork, header: Buffer, reader: ByteReader): Buffer {
  if (mergeMined !== true || (header.readUInt32LE(0) & MERGE_MINED) === 0) return header;
  const reward = readRawTransaction(reader);
  reader.take(32); // the hash of the other block, which nodes do not check either
  const rewardBranch = branchOf(reader);
  const rewardAt = reader.u32();
  const blockBranch = branchOf(reader);
  const blockAt = reader.u32();
  const parent = reader.take(HEADER_BYTES);
  const named = rootOfBranch(hashTwice(header), blockBranch, blockAt).reverse();
  const root = rootOfBranch(Buffer.from(reward.txid, 'hex').reverse(), rewardBranch, rewardAt);
  if (rewardAt !== 0 || !reward.inputs[0]?.script.includes(named) || !root.equals(parent.subarray(ROOT_AT, ROOT_AT + 32)))
    throw new Unreadable('the work of the other chain is not for this block');
  return parent;
}

function branchOf(reader: ByteReader): Buffer[] {
  const count = reader.count();
  if (count > BRANCH_MAX) throw new Unreadable('a branch is longer than that of any block');
  return Array.from({ length: count }, () => reader.take(32));
}

/** The largest number that the hash of the header may be. Throws `Unreadable` for a target that no block has. */
export function targetOf(header: Buffer): bigint {
  const bits = header.readUInt32LE(BITS_AT);
  const [size, digits] = [bits >>> 24, BigInt(bits & 0x7f_ffff)];
  const target = size >= 3 ? digits << BigInt(8 * (size - 3)) : digits >> BigInt(8 * (3 - size));
  if ((bits & 0x80_0000) !== 0 || target === 0n || target >= 2n ** 256n) throw new Unreadable('the target is not valid');
  return target;
}

export function hasWork({ proofOfWork }: UtxoNetwork, worked: Buffer, target: bigint): boolean {
  const hash = proofOfWork === 'Scrypt' ? scryptSync(worked, worked, 32, SCRYPT) : hashTwice(worked);
  return BigInt(`0x${reversedHex(hash)}`) <= target;
}
