import { getAddress } from 'viem';
import type { ChainMovement } from '../../../domain/movements';
import type { Sees } from '../types';
import { feeOf } from './block-fees';
import type { FullBlockReply, ReceiptReply, TransactionReply } from './block-schemas';
import type { PayingCall } from './block-traces';
import { logMoves, type Move } from './log-moves';

const WEI_PER_GWEI = 10n ** 9n;
/**
 * The place of a movement is its position in the block. Each transaction gets this many places, which is more than the number of
 * movements in any transaction.
 */
const PLACES_PER_TRANSACTION = 1_000_000;
/** The native movements of a transaction get the places before those of its logs. */
const FIRST_PLACE_OF_LOGS = 500_000;
export type BlockParts = {
  readonly block: FullBlockReply;
  readonly receipts: readonly ReceiptReply[];
  /** The calls of each transaction. Undefined if the node has no traces. */
  readonly traces: readonly (readonly PayingCall[])[] | undefined;
};

/** The address is in lower case. */
type IsWatched = (address: string) => boolean;

/** The movements of watched addresses, in block order. */
export function movementsIn({ block, receipts, traces }: BlockParts, sees: Sees, isWatched: IsWatched): ChainMovement[] {
  const found: ChainMovement[] = [];
  for (const [index, tx] of block.transactions.entries()) {
    const receipt = receipts[index];
    if (!receipt) continue;
    for (const [at, { logPlace, ...move }] of movesOf(tx, receipt, traces?.[index], sees).entries()) {
      const place = logPlace === undefined ? index * PLACES_PER_TRANSACTION + at : placeOfLog(index, logPlace);
      found.push(...sidesOf(move, { txHash: tx.hash, place }, isWatched));
    }
  }
  for (const [at, { index, address, amount }] of (block.withdrawals ?? []).entries()) {
    const place = block.transactions.length * PLACES_PER_TRANSACTION + at;
    const ordinal = `withdrawal:${BigInt(index)}`;
    const move: Move = { kind: 'NativeTransfer', ordinal, to: address.toLowerCase(), amountUnits: BigInt(amount) * WEI_PER_GWEI };
    // A withdrawal of the beacon chain belongs to its block, and not to a transaction (EIP-4895).
    found.push(...sidesOf(move, { txHash: block.hash, place }, isWatched));
  }
  return found;
}

/** `at` is the place of the log within its transaction. Movements and other events share one order (`block-logs.ts`). */
export const placeOfLog = (transaction: number, at: number): number =>
  transaction * PLACES_PER_TRANSACTION + FIRST_PLACE_OF_LOGS + at;

/**
 * The account that paid the fee gets a movement even if the movement's value is zero, because this movement carries the fee.
 * Every other movement of zero is left out.
 */
function sidesOf(
  { from, to, contract, feeUnits, ...move }: Move,
  where: Pick<ChainMovement, 'txHash' | 'place'>,
  isWatched: IsWatched,
): ChainMovement[] {
  const moves = move.amountUnits !== 0n;
  const isIn = to !== undefined && moves && isWatched(to);
  const isOut = from !== undefined && (moves || feeUnits !== undefined) && isWatched(from);
  if (!isIn && !isOut) return [];
  const told = {
    ...move,
    ...where,
    ...(contract === undefined ? {} : { contract: getAddress(contract) }),
    ...(from === undefined ? {} : { from: getAddress(from) }),
    ...(to === undefined ? {} : { to: getAddress(to) }),
  };
  return [
    ...(isOut
      ? [{ ...told, address: getAddress(from), direction: 'Out' as const, ...(feeUnits === undefined ? {} : { feeUnits }) }]
      : []),
    ...(isIn ? [{ ...told, address: getAddress(to), direction: 'In' as const }] : []),
  ];
}

function movesOf(tx: TransactionReply, receipt: ReceiptReply, calls: readonly PayingCall[] | undefined, sees: Sees): Move[] {
  const succeeded = receipt.status === undefined || receipt.status === null || BigInt(receipt.status) === 1n;
  if (sees.native === 'Nothing') return logMoves(receipt, sees, { succeeded });
  const own = ownMove(tx, receipt, succeeded);
  return [
    own,
    ...(succeeded && calls ? calls.map(moveOfCall) : []),
    ...logMoves(receipt, sees, { succeeded, own }),
    ...mintOf(tx),
  ];
}

function ownMove(tx: TransactionReply, receipt: ReceiptReply, succeeded: boolean): Move {
  const to = (tx.to ?? receipt.contractAddress)?.toLowerCase();
  const feeUnits = feeOf(tx, receipt);
  return {
    kind: 'NativeTransfer',
    ordinal: 'value',
    from: tx.from.toLowerCase(),
    ...(to === undefined ? {} : { to }),
    ...(feeUnits === undefined ? {} : { feeUnits }),
    ...(succeeded ? { amountUnits: BigInt(tx.value ?? '0x0') } : { amountUnits: 0n, isReverted: true as const }),
  };
}

/**
 * A deposit into a rollup creates coins for its sender before anything else happens, and the sender keeps them even if the
 * deposit then fails (https://specs.optimism.io/protocol/deposits.html#execution).
 */
function mintOf({ from, mint }: TransactionReply): Move[] {
  if (mint === undefined || mint === null) return [];
  return [{ kind: 'NativeTransfer', ordinal: 'mint', to: from.toLowerCase(), amountUnits: BigInt(mint) }];
}

/** The ordinal counts only calls that paid, because tracers differ in the other calls that they report. */
const moveOfCall = (call: PayingCall, at: number): Move => ({ kind: 'NativeTransfer', ordinal: `call:${at}`, ...call });
