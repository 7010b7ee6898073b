/** The queue of one sender on one network, named for an activity or workflow. */
export type LaneRef = { readonly orgId: string; readonly network: string; readonly address: string };

/**
 * What keeps transactions of a sender that were sent from getting into a block:
 * `NonceMissing`: nobody holds a nonce below theirs.
 * `NotSent`: the one whose nonce comes first is still with the signer or on its way to the network.
 * `HeldElsewhere`: the nonce that comes first was signed for somebody who sends it himself.
 * `Underpriced`: the network asks for more than the first one offers.
 * `FeesAboveCeiling`: and for more than was approved.
 * `WouldFail`: nodes do not take the first one, because it would fail as things stand.
 */
export const LANE_TROUBLES = [
  'NonceMissing',
  'NotSent',
  'HeldElsewhere',
  'Underpriced',
  'FeesAboveCeiling',
  'WouldFail',
] as const;
/** Of one sponsored transaction alone: its nonce is used up, and nobody has carried its operation out, which anybody still may. */
export const OPERATION_OPEN = 'OperationOpen';
export type LaneTroubleKind = (typeof LANE_TROUBLES)[number];
export type LaneTrouble = {
  readonly kind: LaneTroubleKind;
  /** The nonce that has to be used up next; null where transactions have none and wait for nobody else's. */
  readonly nonce: number | null;
  /** Which one it is, where none has a nonce. */
  readonly transferId?: string;
  /** ISO 8601: when it was noticed. */
  readonly since: string;
};

/** What one look at a lane leaves for the next. */
export type LaneMemory = {
  /** What the look found, in a word that only the next look compares. */
  readonly found: string;
  /** The height at which it was found first. */
  readonly height: number;
  /** The sender's count of mined transactions. */
  readonly count: number;
};

export type LaneLook =
  /** Nothing waits, or what waits moves on. */
  | { readonly kind: 'Healthy' }
  | {
      readonly kind: 'Watched';
      readonly memory: LaneMemory;
      readonly trouble: LaneTroubleKind | null;
      /** Something was done about it, so that the next look comes soon. */
      readonly acted: boolean;
    };

/** The type of the workflow that takes care of a lane, and the id of one. */
export const LANE = 'lane';
export const laneWorkflowId = ({ orgId, network, address }: LaneRef): string => `lane:${orgId}:${network}:${address}`;
