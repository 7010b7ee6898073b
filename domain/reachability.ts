/** Why somebody whom a group takes, or names, does not count for it. */
export const OBSTACLES = [
  'NotThere',
  'Archived',
  'Deactivated',
  'EndUser',
  'ServiceAccountNotTaken',
  'ServiceAccountsMayNotVote',
  'NoCredential',
  'MayNotVote',
  'Cooling',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

export type HinderedVoter = { readonly userId: string; readonly obstacle: Obstacle };

/** Activities that a group keeps waiting for ever, and for whom. */
export type UnreachableGroup = {
  /** Its place among the groups of the policy, from 0. */
  readonly group: number;
  readonly name: string | null;
  readonly quorum: number;
  /** Everybody who may ask for such an activity, with as many people as could approve it then. */
  readonly initiators: readonly { readonly userId: string; readonly have: number }[];
  /** True when it cannot be reached whoever asks. */
  readonly isForEveryone: boolean;
  readonly hindered: readonly HinderedVoter[];
};
