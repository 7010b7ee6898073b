/** The queue of one sender on one network, named for an activity or workflow. */
export type LaneRef = { readonly orgId: string; readonly network: string; readonly address: string };

/**
 * Reasons why sent transactions of a sender cannot get into a block: `NonceMissing`: no transaction has a nonce below theirs. `NotSent`: the one with
 * the next nonce is still being signed or sent. `HeldElsewhere`: the next nonce was signed for a caller who sends the transaction. `Underpriced`: the
 * network asks for a higher fee than the first one offers. `FeesAboveCeiling`: and for more than was approved. `WouldFail`: nodes do not take the
 * first one, because it would fail at present.
 */
export const LANE_TROUBLES = [
  'NonceMissing',
  'NotSent',
  'HeldElsewhere',
  'Underpriced',
  'FeesAboveCeiling',
  'WouldFail',
] as const;
/** Only for a sponsored transaction: its nonce is used, but its operation has not been executed, which anyone may still do. */
export const OPERATION_OPEN = 'OperationOpen';
export type LaneTroubleKind = (typeof LANE_TROUBLES)[number];
export type LaneTrouble = {
  readonly kind: LaneTroubleKind;
  /** The nonce that has to be used next; null if transactions have no nonce and do not wait for each other. */
  readonly nonce: number | null;
  /** The first transaction, if none has a nonce. */
  readonly transferId?: string;
  /** ISO 8601: when it was noticed. */
  readonly since: string;
};

/** Memory from one check of a lane to the next. */
export type LaneMemory = {
  /** The finding, as a word that only the next check compares. */
  readonly found: string;
  /** The height at which it was first found. */
  readonly height: number;
  /** The sender's count of mined transactions. */
  readonly count: number;
};

export type LaneLook =
  /** Nothing waits, or the waiting transactions move on. */
  | { readonly kind: 'Healthy' }
  | {
      readonly kind: 'Watched';
      readonly memory: LaneMemory;
      readonly trouble: LaneTroubleKind | null;
      /** The obstacle was acted on, so the next check comes soon. */
      readonly acted: boolean;
    };

/** The type of the workflow that takes care of a lane, and the id of one. */
export const LANE = 'lane';
export const laneWorkflowId = ({ orgId, network, address }: LaneRef): string => `lane:${orgId}:${network}:${address}`;
