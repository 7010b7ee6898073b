import { getAddress } from 'viem';
import type { ChainMovement } from '../../../domain/movements';
import { feeOf } from './block-fees';
import type { FullBlockReply, LogReply, ReceiptReply, TraceFrame, TransactionReply } from './block-schemas';

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** `ConfidentialTransfer(address,address,bytes32)` of ERC-7984. */
const CONFIDENTIAL_TRANSFER = '0x67500e8d0ed826d2194f514dd0d8124f35648ab6e3fb5e6ed867134cffe661e9';
const WORD_HEX = 64;
const PADDED_ADDRESS = /^0x0{24}[0-9a-f]{40}$/;
const WEI_PER_GWEI = 10n ** 9n;
/**
 * The distance between the places of two transactions. No transaction has more movements, so the places follow the block's order.
 */
const PLACES_PER_TRANSACTION = 1_000_000;
/** Native movements of a transaction have the places before the places of its logs. */
const FIRST_PLACE_OF_LOGS = 500_000;
/** Calls that move value. A DELEGATECALL only repeats the value of its caller, and a CALLCODE pays the caller itself. */
const PAYING_CALLS: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

export type BlockParts = {
  readonly block: FullBlockReply;
  readonly receipts: readonly ReceiptReply[];
  /** One frame for each transaction. Undefined if the node has no traces. */
  readonly traces: readonly TraceFrame[] | undefined;
};

/** Gets an address in lower case. */
type IsWatched = (address: string) => boolean;
/** Addresses are in lower case. */
type Move = Pick<
  ChainMovement,
  'kind' | 'ordinal' | 'logIndex' | 'contract' | 'tokenId' | 'from' | 'to' | 'amountUnits' | 'isReverted'
>;

/** The movements of watched addresses, in their order in the block. */
export function movementsIn({ block, receipts, traces }: BlockParts, isWatched: IsWatched): ChainMovement[] {
  const found: ChainMovement[] = [];
  for (const [index, tx] of block.transactions.entries()) {
    const receipt = receipts[index];
    if (!receipt) continue;
    for (const [at, move] of nativeMoves(tx, receipt, traces?.[index]).entries()) {
      const place = index * PLACES_PER_TRANSACTION + at;
      const feeUnits = move.ordinal === 'value' ? feeOf(tx, receipt) : undefined;
      found.push(...sidesOf(move, { txHash: tx.hash, place }, feeUnits, isWatched));
    }
    for (const [at, log] of receipt.logs.entries()) {
      const where = { txHash: tx.hash, place: placeOfLog(index, at) };
      for (const move of tokenMoves(log, at)) found.push(...sidesOf(move, where, undefined, isWatched));
    }
  }
  for (const [at, { index, address, amount }] of (block.withdrawals ?? []).entries()) {
    const place = block.transactions.length * PLACES_PER_TRANSACTION + at;
    const ordinal = `withdrawal:${BigInt(index)}`;
    const move: Move = { kind: 'NativeTransfer', ordinal, to: address.toLowerCase(), amountUnits: BigInt(amount) * WEI_PER_GWEI };
    // A withdrawal of the beacon chain belongs to its block and to no transaction (EIP-4895).
    found.push(...sidesOf(move, { txHash: block.hash, place }, undefined, isWatched));
  }
  return found;
}

/** `at` is the place of the log within its transaction. Movements and other events have one order (`block-logs.ts`). */
export const placeOfLog = (transaction: number, at: number): number =>
  transaction * PLACES_PER_TRANSACTION + FIRST_PLACE_OF_LOGS + at;

/**
 * The sender gets a movement even if its value is zero, because this movement carries the fee. Every other movement of zero is
 * left out.
 */
function sidesOf(
  { from, to, contract, ...move }: Move,
  where: Pick<ChainMovement, 'txHash' | 'place'>,
  feeUnits: bigint | undefined,
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

function nativeMoves(tx: TransactionReply, receipt: ReceiptReply, trace: TraceFrame | undefined): Move[] {
  const succeeded = receipt.status === undefined || receipt.status === null || BigInt(receipt.status) === 1n;
  const to = (tx.to ?? receipt.contractAddress)?.toLowerCase();
  const own: Move = {
    kind: 'NativeTransfer',
    ordinal: 'value',
    from: tx.from.toLowerCase(),
    ...(to === undefined ? {} : { to }),
    ...(succeeded ? { amountUnits: BigInt(tx.value) } : { amountUnits: 0n, isReverted: true as const }),
  };
  return succeeded && trace ? [own, ...callsWithin(trace, 'call')] : [own];
}

/**
 * The ordinal is the path to the call: the index of each enclosing call among the calls of its caller, and then the call's own
 * index.
 */
function callsWithin({ calls }: TraceFrame, path: string): Move[] {
  return (calls ?? []).flatMap((frame, at) => {
    // The chain undoes a failed call together with all calls within it.
    if (frame.error !== undefined) return [];
    const ordinal = `${path}:${at}`;
    const inner = callsWithin(frame, ordinal);
    const amountUnits = PAYING_CALLS.has(frame.type) ? BigInt(frame.value ?? '0x0') : 0n;
    if (amountUnits === 0n) return inner;
    const to = frame.to === undefined ? {} : { to: frame.to.toLowerCase() };
    return [{ kind: 'NativeTransfer' as const, ordinal, from: frame.from.toLowerCase(), ...to, amountUnits }, ...inner];
  });
}

/** A log with the same name but another shape is not a standard transfer. */
export function tokenMoves({ address, topics, data, logIndex }: LogReply, at: number): Move[] {
  const [name, from, to, third] = topics;
  if (name !== TRANSFER && name !== CONFIDENTIAL_TRANSFER) return [];
  if (!from || !to || !PADDED_ADDRESS.test(from) || !PADDED_ADDRESS.test(to)) return [];
  const move = {
    ordinal: `log:${at}`,
    logIndex: String(BigInt(logIndex)),
    contract: address.toLowerCase(),
    from: `0x${from.slice(-40)}`,
    to: `0x${to.slice(-40)}`,
  };
  const words = (data.length - 2) / WORD_HEX;
  if (name === CONFIDENTIAL_TRANSFER) return third === undefined ? [] : [{ ...move, kind: 'Erc7984Transfer' }];
  if (third === undefined) return words === 1 ? [{ ...move, kind: 'Erc20Transfer', amountUnits: BigInt(data) }] : [];
  return words === 0 ? [{ ...move, kind: 'Erc721Transfer', tokenId: String(BigInt(third)) }] : [];
}
