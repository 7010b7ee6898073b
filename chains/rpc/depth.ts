import { isDeepStrictEqual } from 'node:util';

/** What a wallet of the Bitcoin family says of a transaction. `confirmations` are negative for one whose coins another one has spent in so many blocks. */
type Told = Readonly<Record<string, unknown>> & { readonly confirmations: number };

/** RPC_INVALID_ADDRESS_OR_KEY, which is also the code for a transaction that a wallet has never seen (rpc/protocol.h of Bitcoin Core). */
const UNKNOWN_CODE = -5;

const isTold = <T>(value: T): value is T & Told =>
  typeof value === 'object' && value !== null && 'confirmations' in value && typeof value.confirmations === 'number';
/** What nodes say of it besides, in a block or out of it. Some name the height of the block, others its hash alone. */
const lasting = ({ confirmations: _, blockhash: _hash, blockheight: _height, ...told }: Told) => told;
const heightsOf = (answers: readonly Told[]) => new Set(answers.flatMap(({ blockheight: height }) => height ?? []));
/**
 * What nodes agree on of where a transaction stands: in one and the same block, beaten by another one, or in no block yet. Near the head the least of
 * it counts: what only some have in a block waits, and what only some have seen beaten is not. A block against a defeat, another block, or one that is
 * deeper for some than heads may be apart, is no agreement.
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

/** Whether what some nodes have never seen may for the others be near the head, or have lost its coins: then it is unknown, as before it was sent. */
export const isUnknownToSome = (codes: readonly number[], values: readonly unknown[], headsApart: number): boolean =>
  codes.every((code) => code === UNKNOWN_CODE) && values.every((value) => isTold(value) && value.confirmations <= headsApart);
