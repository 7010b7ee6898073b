/** The kinds of movements that this service reads from blocks: names of the published interface. */
export const MOVEMENT_KINDS = [
  ...(['NativeTransfer', 'Erc20Transfer', 'Erc721Transfer', 'Erc7984Transfer'] as const),
  ...(['SplTransfer', 'Spl2022Transfer', 'UtxoTransfer'] as const),
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Kinds of movements that have an amount and that vendors can therefore screen. */
export const PAYMENT_KINDS = [
  'NativeTransfer',
  'Erc20Transfer',
  'SplTransfer',
  'Spl2022Transfer',
  'UtxoTransfer',
] as const satisfies readonly MovementKind[];
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export const isPaymentKind = (kind: MovementKind): kind is PaymentKind => PAYMENT_KINDS.some((one) => one === kind);

export const DIRECTIONS = ['In', 'Out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * One movement of one asset into or out of one address, as a block reports it. Addresses are canonical, and amounts are in
 * smallest units.
 */
export type ChainMovement = {
  readonly address: string;
  readonly direction: Direction;
  readonly kind: MovementKind;
  readonly txHash: string;
  /** The place within the transaction, which stays the same if a reorganisation moves the transaction into another block. */
  readonly ordinal: string;
  /** The number that orders the movements within the block. */
  readonly place: number;
  /** The index of the log within the block. Absent if no log reports the movement. */
  readonly logIndex?: string;
  /** The contract or mint of a token. Absent for the native asset. */
  readonly contract?: string;
  /** The decimals of the token, if the block names them. */
  readonly decimals?: number;
  readonly tokenId?: string;
  /** Absent if the chain does not name a sender, or names several senders of the same payment. */
  readonly from?: string;
  readonly to?: string;
  /**
   * All senders and all recipients, where a transaction has lists of them. The senders are listed only if all of them are known.
   */
  readonly froms?: readonly string[];
  readonly tos?: readonly string[];
  /** The coins of the transaction that the address can spend from now on. */
  readonly coins?: readonly { readonly vout: number; readonly amountUnits: bigint }[];
  /** Absent for a token without amounts, and for an amount that only the network can read. */
  readonly amountUnits?: bigint;
  /** The fee of the transaction, on the movement of the account that paid the fee. */
  readonly feeUnits?: bigint;
  /** True on the movement with the fee if the transaction failed and moved nothing else. */
  readonly isReverted?: true;
};

/**
 * The proof that the node left nothing out of a block. `Root`: the block's hash follows from everything that was read.
 * `TwoNodes`: two nodes returned the same content. `OneNode`: the response of one node is the only evidence.
 */
export const BLOCK_PROOFS = ['Root', 'TwoNodes', 'OneNode'] as const;
export type BlockProof = (typeof BLOCK_PROOFS)[number];

/**
 * The source from which the service learns of native transfers within contract calls. `Traces` and `Logs` report each transfer.
 * `Balances` reports only the total change of an account. `Transactions` reports only the value of the transaction itself, not of
 * its calls.
 */
export const NATIVE_SIGHTS = ['Traces', 'Logs', 'Balances', 'Transactions'] as const;
export type NativeSight = (typeof NATIVE_SIGHTS)[number];

/**
 * `Withdrawn`: a reorganisation removed the movement from the chain. The row stays, because the transaction can come back in
 * another block.
 */
export const MOVEMENT_STATUSES = ['Included', 'Confirmed', 'Withdrawn'] as const;
export type MovementStatus = (typeof MOVEMENT_STATUSES)[number];
