import { isDeepStrictEqual } from 'node:util';

/**
 * A Bitcoin-family wallet's report on a transaction. `confirmations` are negative if another transaction spent its coins that many
 * blocks ago.
 */
type Told = Readonly<Record<string, unknown>> & { readonly confirmations: number };

/** RPC_INVALID_ADDRESS_OR_KEY, which is also the code for a transaction that a wallet has never seen (rpc/protocol.h of Bitcoin Core). */
const UNKNOWN_CODE = -5;

const isTold = <T>(value: T): value is T & Told =>
  typeof value === 'object' && value !== null && 'confirmations' in value && typeof value.confirmations === 'number';
/** The rest of a node's report, with or without a block. Some nodes name the height of the block, others only its hash. */
const lasting = ({ confirmations: _, blockhash: _hash, blockheight: _height, ...told }: Told) => told;
const heightsOf = (answers: readonly Told[]) => new Set(answers.flatMap(({ blockheight: height }) => height ?? []));
/**
 * The state of a transaction on which nodes agree: in one and the same block, displaced by another one, or in no block yet. Near the head the least
 * advanced state counts: a transaction that only some nodes have in a block is pending, and one that only some have seen displaced is not displaced.
 * The nodes disagree if one has it in a block and another displaced, if they name different blocks, or if the depths differ by more than heads may.
 */
export function agreedDepth<T>(answers: readonly [T, ...T[]], headsApart: number): T | undefined {
  const told = answers.filter(isTold);
  const [first] = told;
  if (!first || told.length < answers.length || !told.every((one) => isDeepStrictEqual(lasting(one), lasting(first))))
    return undefined;
  const byDepth = told.toSorted((one, other) => Math.abs(one.confirmations) - Math.abs(other.confirmations));
  const depths = told.map(({ confirmations }) => confirmations);
  const [least, most] = [Math.min(...depths), Math.max(...depths)];
  const included = told.filter(({ confirmations }) => confirmations > 0);
  const isOneBlock = new Set(included.map(({ blockhash }) => blockhash)).size <= 1 && heightsOf(included).size <= 1;
  const isAgreed = isOneBlock && (least < 0 ? most <= 0 : most - least <= headsApart);
  return isAgreed ? byDepth[0] : undefined;
}

/**
 * Tells whether a transaction that some nodes have never seen may be near the head for the others, or have lost its coins: then it
 * counts as unknown, as before it was sent.
 */
export const isUnknownToSome = (codes: readonly number[], values: readonly unknown[], headsApart: number): boolean =>
  codes.every((code) => code === UNKNOWN_CODE) && values.every((value) => isTold(value) && value.confirmations <= headsApart);
