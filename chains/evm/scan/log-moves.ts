import type { ChainMovement } from '../../../domain/movements';
import type { Sees } from '../types';
import type { LogReply, ReceiptReply } from './block-schemas';

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** `ConfidentialTransfer(address,address,bytes32)` of ERC-7984. */
const CONFIDENTIAL_TRANSFER = '0x67500e8d0ed826d2194f514dd0d8124f35648ab6e3fb5e6ed867134cffe661e9';
/**
 * The chain itself logs native payments under this address, in the form of ERC-20 (EIP-7708). No contract can have this
 * address.
 */
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe';
const WORD_HEX = 64;
const PADDED_ADDRESS = /^0x0{24}[0-9a-f]{40}$/;

/** Addresses are in lower case. */
export type Move = Pick<
  ChainMovement,
  'kind' | 'ordinal' | 'logIndex' | 'contract' | 'tokenId' | 'from' | 'to' | 'amountUnits' | 'feeUnits' | 'isReverted'
> & {
  /** The place of the log within its transaction. */
  readonly logPlace?: number;
};
type Outcome = {
  readonly succeeded: boolean;
  /** The movement of the transaction's own value. */
  readonly own?: Move;
};

/** The movements that only logs report. */
export function logMoves({ logs, gasUsed, effectiveGasPrice }: ReceiptReply, sees: Sees, { succeeded, own }: Outcome): Move[] {
  const moves = logs.flatMap(tokenMoves);
  const repeated = moves.find((move) => move.contract === SYSTEM && own !== undefined && isSamePayment(move, own));
  const nativeToken = sees.nativeToken?.contract.toLowerCase();
  // Without a price there is no fee, so the last log is not the transfer of a fee.
  const isFree = BigInt(gasUsed) === 0n || BigInt(effectiveGasPrice ?? '0x0') === 0n;
  const feeOrdinal = isFree ? undefined : `log:${logs.length - 1}`;
  return moves.flatMap((move) => {
    const { contract: _contract, ...native } = { ...move, kind: 'NativeTransfer' as const };
    if (move.contract === SYSTEM) return sees.native !== 'Logs' || move === repeated ? [] : [native];
    if (move.contract === nativeToken && move.kind === 'Erc20Transfer') return sees.nativeToken?.logs === 'Pay' ? [native] : [];
    if (move.ordinal !== feeOrdinal) return [move];
    return [sees.feeLog ? asFee(move, sees.feeLog, succeeded) : move];
  });
}

const isSamePayment = (one: Move, other: Move): boolean =>
  one.from === other.from && one.to === other.to && one.amountUnits === other.amountUnits;

/** The amount becomes the fee, so movements and fees still add up to the change of the balance. */
function asFee(move: Move, { collector, scale }: NonNullable<Sees['feeLog']>, succeeded: boolean): Move {
  if (move.kind !== 'Erc20Transfer' || move.to !== collector.toLowerCase() || move.amountUnits === undefined) return move;
  return {
    ...move,
    amountUnits: 0n,
    feeUnits: move.amountUnits * scale,
    ...(succeeded ? {} : { isReverted: true as const }),
  };
}

/** A log with the same name but a different shape is not a standard transfer. */
export function tokenMoves({ address, topics, data, logIndex }: LogReply, at: number): Move[] {
  const [name, from, to, third] = topics;
  if (name !== TRANSFER && name !== CONFIDENTIAL_TRANSFER) return [];
  if (!from || !to || !PADDED_ADDRESS.test(from) || !PADDED_ADDRESS.test(to)) return [];
  const move = {
    ordinal: `log:${at}`,
    logPlace: at,
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
