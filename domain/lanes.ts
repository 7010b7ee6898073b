/** Identifies the queue of one sender on one network to a Temporal activity or a workflow. */
export type LaneRef = { readonly orgId: string; readonly network: string; readonly address: string };

/**
 * Why the sent transactions of a sender cannot get into a block. `NonceMissing`: a nonce gap; no transaction has the next
 * nonce. `NotSent`: the transaction with the next nonce is still being signed or sent. `HeldElsewhere`: the transaction with
 * the next nonce was signed for a caller, and only the caller sends this transaction. `Underpriced`: the network asks for a
 * higher fee than the first transaction offers. `FeesAboveCeiling`: the fee would have to exceed the approved ceiling.
 * `WouldFail`: nodes refuse the first transaction, because this transaction would fail at present.
 */
export const LANE_TROUBLES = [
  'NonceMissing',
  'NotSent',
  'HeldElsewhere',
  'Underpriced',
  'FeesAboveCeiling',
  'WouldFail',
] as const;
/** For sponsored transactions only: the nonce is used, but the operation was not executed, and anyone may still execute it. */
export const OPERATION_OPEN = 'OperationOpen';
export type LaneTroubleKind = (typeof LANE_TROUBLES)[number];
export type LaneTrouble = {
  readonly kind: LaneTroubleKind;
  /** The next nonce of the sender; null on networks where transactions have no nonce and do not wait for each other. */
  readonly nonce: number | null;
  /** The id of the first transaction of the queue, on networks without nonces. */
  readonly transferId?: string;
  /** When the service detected the trouble, as ISO 8601. */
  readonly since: string;
};

/** The state that one check of a lane passes to the next check. */
export type LaneMemory = {
  /** The check's finding, as text. The next check compares this text with its own finding; the text has no other use. */
  readonly found: string;
  /** The block height at which the finding was first made. */
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
      /** The check acted on the obstacle, so the next check follows soon. */
      readonly acted: boolean;
    };

/** The type and the id of the workflow that takes care of a lane. */
export const LANE = 'lane';
export const laneWorkflowId = ({ orgId, network, address }: LaneRef): string => `lane:${orgId}:${network}:${address}`;
