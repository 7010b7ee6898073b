import { Unreadable } from '../decoder-bytes';
import { hashTwice } from './raw-transaction';

/**
 * The root of a tree of hashes. Throws `Unreadable` if two neighbours are equal, because a node must not double a payment. A list
 * whose last elements occur twice has the same root as the list in which they occur once (CVE-2012-2459).
 */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  let level = leaves;
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at] as Buffer, level[at + 1]];
      if (right?.equals(left)) throw new Unreadable('the block repeats transactions');
      next.push(hashTwice(left, right ?? left));
    }
    level = next;
  }
  return level[0] ?? Buffer.alloc(0);
}

/** The root that follows from one leaf and its neighbours. Each bit of `index` shows on which side the neighbour is. */
export function rootOfBranch(leaf: Buffer, branch: readonly Buffer[], index: number): Buffer {
  return branch.reduce(
    (hash, neighbour, height) => ((index >>> height) & 1 ? hashTwice(neighbour, hash) : hashTwice(hash, neighbour)),
    leaf,
  );
}
