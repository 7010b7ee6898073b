/** Why a listed user cannot contribute to the quorum of a group. */
export const OBSTACLES = [
  'NotThere',
  'Archived',
  'Deactivated',
  'EndUser',
  'ServiceAccountNotTaken',
  'ServiceAccountsMayNotVote',
  'NoCredential',
  'MayNotVote',
  'NotInCharter',
  'Cooling',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

export type HinderedVoter = { readonly userId: string; readonly obstacle: Obstacle };

/** A group whose quorum some initiators cannot reach, so that their requests would wait for ever. */
export type UnreachableGroup = {
  /** The index of the group in the policy, from 0. */
  readonly group: number;
  readonly name: string | null;
  readonly quorum: number;
  /** Each initiator with the number of people who could approve. */
  readonly initiators: readonly { readonly userId: string; readonly have: number }[];
  readonly isForEveryone: boolean;
  readonly hindered: readonly HinderedVoter[];
};
