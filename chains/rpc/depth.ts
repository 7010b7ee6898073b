import { isDeepStrictEqual } from 'node:util';

/**
 * A Bitcoin-family wallet's report on a transaction. `confirmations` is negative if another transaction spent the same coins
 * that many blocks ago.
 */
type Told = Readonly<Record<string, unknown>> & { readonly confirmations: number };

/**
 * RPC_INVALID_ADDRESS_OR_KEY, which is also the code for a transaction that a wallet has never seen (rpc/protocol.h of Bitcoin
 * Core).
 */
const UNKNOWN_CODE = -5;

const isTold = <T>(value: T): value is T & Told =>
  typeof value === 'object' && value !== null && 'confirmations' in value && typeof value.confirmations === 'number';
/**
 * A report without depth and block, which are compared separately: some nodes name the height of the block, others only its
 * hash.
 */
const lasting = ({ confirmations: _, blockhash: _hash, blockheight: _height, ...told }: Told) => told;
const heightsOf = (answers: readonly Told[]) => new Set(answers.flatMap(({ blockheight: height }) => height ?? []));
/**
 * The report on a transaction on which the nodes agree: in the same block, displaced by another transaction, or not yet in a
 * block. Since the nodes' heads differ, the least advanced report counts: a transaction is pending if only some nodes have it
 * in a block, and is not displaced if only some nodes report it displaced. Undefined if one node has the transaction in a block
 * and another reports it displaced, if nodes name different blocks, or if its depths differ by more than `headsApart`.
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
 * Tells whether a transaction that some nodes do not know counts as unknown, as it did before it was sent. The other nodes must
 * have it at most `headsApart` blocks deep, or report that another transaction displaced it.
 */
export const isUnknownToSome = (codes: readonly number[], values: readonly unknown[], headsApart: number): boolean =>
  codes.every((code) => code === UNKNOWN_CODE) && values.every((value) => isTold(value) && value.confirmations <= headsApart);
