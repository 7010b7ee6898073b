import { keccak_256 } from '@noble/hashes/sha3.js';
import { toRlp } from 'viem';

type Entry = { readonly nibbles: readonly number[]; readonly value: Uint8Array };
type Node = readonly (Uint8Array | Node)[];

const HASHED_FROM_BYTES = 32;
const NOTHING = new Uint8Array(0);

/**
 * The root of the Merkle Patricia trie whose keys are the indexes of the values. Ethereum's headers have such roots of
 * transactions, receipts and withdrawals (Yellow Paper, section 4.3.2 and appendix D).
 */
export function orderedTrieRoot(values: readonly Uint8Array[]): Uint8Array {
  const entries = values.map((value, index) => ({ nibbles: nibblesOf(toRlp(bytesOf(index), 'bytes')), value }));
  entries.sort((a, b) => compare(a.nibbles, b.nibbles));
  return keccak_256(bytesOfNode(entries.length === 0 ? NOTHING : nodeOf(entries, 0)));
}

function nodeOf(entries: readonly Entry[], depth: number): Node {
  const [first, ...others] = entries as [Entry, ...Entry[]];
  if (others.length === 0) return [packed(first.nibbles.slice(depth), true), first.value];
  const last = others.at(-1) ?? first;
  let shared = depth;
  while (shared < first.nibbles.length && first.nibbles[shared] === last.nibbles[shared]) shared += 1;
  if (shared > depth) return [packed(first.nibbles.slice(depth, shared), false), referenceTo(nodeOf(entries, shared))];
  const children = Array.from({ length: 16 }, (_, nibble) => entries.filter(({ nibbles }) => nibbles[depth] === nibble));
  const ended = entries.find(({ nibbles }) => nibbles.length === depth);
  return [
    ...children.map((some) => (some.length === 0 ? NOTHING : referenceTo(nodeOf(some, depth + 1)))),
    ended?.value ?? NOTHING,
  ];
}

/** A parent embeds a node of less than 32 bytes, and contains only the hash of a larger node. */
function referenceTo(node: Node): Uint8Array | Node {
  const bytes = bytesOfNode(node);
  return bytes.length < HASHED_FROM_BYTES ? node : keccak_256(bytes);
}

const bytesOfNode = (node: Uint8Array | Node): Uint8Array => toRlp(node as Parameters<typeof toRlp>[0], 'bytes');

/** The compact encoding of a path, with a flag for leaves (appendix C). */
function packed(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const whole = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles];
  return Uint8Array.from({ length: whole.length / 2 }, (_, at) => ((whole[2 * at] ?? 0) << 4) | (whole[2 * at + 1] ?? 0));
}

const nibblesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);

function bytesOf(index: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = index; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((nibble, index) => nibble !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
