import { isDeepStrictEqual } from 'node:util';

/**
 * If `confirmations` is negative, another transaction has spent the same coins. The absolute value then counts the
 * confirmations of that other transaction.
 */
type Told = Readonly<Record<string, unknown>> & { readonly confirmations: number };

/**
 * RPC_INVALID_ADDRESS_OR_KEY (rpc/protocol.h of Bitcoin Core). Nodes also return this code for a transaction that a wallet has
 * never seen.
 */
const UNKNOWN_CODE = -5;

const isTold = <T>(value: T): value is T & Told =>
  typeof value === 'object' && value !== null && 'confirmations' in value && typeof value.confirmations === 'number';
/**
 * A report without depth and block, which are compared separately: some nodes name the block's height, others only its hash.
 */
const lasting = ({ confirmations: _, blockhash: _hash, blockheight: _height, ...told }: Told) => told;
const heightsOf = (answers: readonly Told[]) => new Set(answers.flatMap(({ blockheight: height }) => height ?? []));
/**
 * Combines reports that a transaction is included, pending or displaced by another transaction. The heads of the nodes differ,
 * so the least advanced report is returned. The result is undefined if one node reports the transaction as included and another
 * as displaced. The result is also undefined if the reports differ in the block or in another member. Depths may differ by at
 * most `headsApart`, unless the transaction is displaced.
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
 * If some nodes do not know the transaction, it is treated as unknown unless another node reports more than `headsApart`
 * confirmations.
 */
export const isUnknownToSome = (codes: readonly number[], values: readonly unknown[], headsApart: number): boolean =>
  codes.every((code) => code === UNKNOWN_CODE) && values.every((value) => isTold(value) && value.confirmations <= headsApart);
