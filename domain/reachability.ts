/** Why a user whom a group includes or names does not count for it. */
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

/** Activities that a group keeps waiting for ever, and their initiators. */
export type UnreachableGroup = {
  /** Its index among the groups of the policy, from 0. */
  readonly group: number;
  readonly name: string | null;
  readonly quorum: number;
  /** Everyone who may request such an activity, with the number of people who could then approve it. */
  readonly initiators: readonly { readonly userId: string; readonly have: number }[];
  /** True if it cannot be reached for any initiator. */
  readonly isForEveryone: boolean;
  readonly hindered: readonly HinderedVoter[];
};
