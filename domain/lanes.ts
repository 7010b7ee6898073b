export type LaneRef = { readonly orgId: string; readonly network: string; readonly address: string };

/**
 * Why the sent transactions of a sender cannot get into a block. `NonceMissing`: no transaction has the next nonce. `NotSent`:
 * the transaction with the next nonce is still being signed or sent. `HeldElsewhere`: a caller has to send the transaction with
 * the next nonce. `Underpriced`: the network requires a higher fee than the first transaction offers. `FeesAboveCeiling`: the fee
 * would have to exceed the approved ceiling. `WouldFail`: nodes refuse the first transaction, because this transaction would fail
 * at present.
 */
export const LANE_TROUBLES = [
  'NonceMissing',
  'NotSent',
  'HeldElsewhere',
  'Underpriced',
  'FeesAboveCeiling',
  'WouldFail',
] as const;
/**
 * Sponsored transactions only: the nonce is used, but the operation was not executed, and anyone may still execute the
 * operation.
 */
export const OPERATION_OPEN = 'OperationOpen';
export type LaneTroubleKind = (typeof LANE_TROUBLES)[number];
export type LaneTrouble = {
  readonly kind: LaneTroubleKind;
  /** The next nonce of the sender; null on networks without nonces. */
  readonly nonce: number | null;
  /** The first transaction of the queue, on networks without nonces. */
  readonly transferId?: string;
  /** ISO 8601. */
  readonly since: string;
};

export type LaneMemory = {
  /** The finding of this check as text, which the next check compares with its own finding. */
  readonly found: string;
  /** The block height at which a check first had this finding. */
  readonly height: number;
  /** The sender's count of mined transactions. */
  readonly count: number;
};

export type LaneLook =
  /** Nothing waits, or the waiting transactions make progress. */
  | { readonly kind: 'Healthy' }
  | {
      readonly kind: 'Watched';
      readonly memory: LaneMemory;
      readonly trouble: LaneTroubleKind | null;
      /** The check did something about the obstacle, so the next check follows soon. */
      readonly acted: boolean;
    };

export const LANE = 'lane';
export const laneWorkflowId = ({ orgId, network, address }: LaneRef): string => `lane:${orgId}:${network}:${address}`;
