import { isDeepStrictEqual } from 'node:util';

/**
 * A Bitcoin-family wallet's report on a transaction. `confirmations` is negative if another transaction has spent the same
 * coins. Without the minus sign, `confirmations` is the number of confirmations of that other transaction.
 */
type Told = Readonly<Record<string, unknown>> & { readonly confirmations: number };

/**
 * RPC_INVALID_ADDRESS_OR_KEY (rpc/protocol.h of Bitcoin Core). This is also the code for a transaction that a wallet has never
 * seen.
 */
const UNKNOWN_CODE = -5;

const isTold = <T>(value: T): value is T & Told =>
  typeof value === 'object' && value !== null && 'confirmations' in value && typeof value.confirmations === 'number';
/**
 * A report without depth and block. Depth and block are compared separately, because some nodes name the height of the block,
 * and other nodes name only the hash of the block.
 */
const lasting = ({ confirmations: _, blockhash: _hash, blockheight: _height, ...told }: Told) => told;
const heightsOf = (answers: readonly Told[]) => new Set(answers.flatMap(({ blockheight: height }) => height ?? []));
/**
 * Combines the reports of several nodes on one transaction. Each report says that the transaction is in a block, that the
 * transaction is pending, or that another transaction has displaced the transaction. The heads of the nodes differ, so the
 * least advanced report is returned. If only some nodes have the transaction in a block, the transaction is pending. If only
 * some nodes report the transaction as displaced, the transaction is not displaced. In three cases the nodes disagree, and the
 * result is undefined. First, one node has the transaction in a block and another node reports the transaction as displaced.
 * Second, the nodes name different blocks. Third, the reported depths in the chain differ by more than `headsApart`.
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
 * Tells whether a transaction counts as unknown, as if the transaction had never been sent. The caller calls this function when
 * some nodes do not know the transaction. Every other node must have the transaction at most `headsApart` blocks deep, or must
 * report that another transaction has displaced this transaction.
 */
export const isUnknownToSome = (codes: readonly number[], values: readonly unknown[], headsApart: number): boolean =>
  codes.every((code) => code === UNKNOWN_CODE) && values.every((value) => isTold(value) && value.confirmations <= headsApart);
