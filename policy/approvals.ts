import type { ApprovalGroup, Vote, VoteValue } from '../domain/approvals';
import type { GroupDemand } from './types';

/** Somebody active who may be named in a group. */
export type Candidate = {
  readonly id: string;
  /** Whether there is a credential to vote with. */
  readonly isRegistered: boolean;
  readonly isServiceAccount: boolean;
  readonly createdBy: string | null;
  /** Whether the user or its credentials are too new to approve anything. */
  readonly isCooling: boolean;
};

/** How far one group is, in words for an operator. */
export type GroupStanding = { readonly name: string | null; readonly quorum: number; readonly have: number };

/** The person who acts when this user does: a program is the hand of whoever made it (S10). */
export const handOf = ({ id, isServiceAccount, createdBy }: Pick<Candidate, 'id' | 'isServiceAccount' | 'createdBy'>): string =>
  isServiceAccount && createdBy !== null ? createdBy : id;

/**
 * Fixes who may vote at the moment of the request (S10). "Anyone in the organisation" means every registered employee of
 * that moment, and programs where the group takes them. Whoever is too new may only deny, and so may the initiator and its
 * hands unless the group says otherwise. A group whose quorum its voters cannot reach is allowed and stays pending until it
 * is denied or expires.
 */
export function fixVoters(
  demands: readonly GroupDemand[],
  candidates: readonly Candidate[],
  initiatorHand: string,
): ApprovalGroup[] {
  return demands.map(({ policyId, definition }) => {
    const named = definition.approvers.userId?.in;
    const listed = candidates
      .filter(({ isServiceAccount }) => !isServiceAccount || definition.serviceAccountsCanApprove === true)
      .filter(({ id, isRegistered }) => (named === undefined ? isRegistered : named.includes(id)))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const mayOnlyDeny = (candidate: Candidate) =>
      candidate.isCooling || (handOf(candidate) === initiatorHand && definition.initiatorCanApprove !== true);
    const voters = listed.filter((candidate) => !mayOnlyDeny(candidate));
    const hands = voters.filter((voter) => handOf(voter) !== voter.id).map((voter) => [voter.id, handOf(voter)]);
    return {
      policyId,
      name: definition.name ?? null,
      quorum: definition.quorum,
      voterIds: voters.map(({ id }) => id),
      denierIds: listed.filter(mayOnlyDeny).map(({ id }) => id),
      ...(hands.length > 0 ? { hands: Object.fromEntries(hands) } : {}),
    };
  });
}

/** True when this user's vote of this value counts: an approval in one of the groups, a denial anywhere the user is listed. */
export function mayVote(groups: readonly ApprovalGroup[], userId: string, value: VoteValue): boolean {
  return groups.some(
    ({ voterIds, denierIds }) => voterIds.includes(userId) || (value === 'Denied' && denierIds.includes(userId)),
  );
}

/** What the votes amount to. One denial ends it; otherwise every group needs its quorum. Without groups nobody can approve. */
export function outcomeOf(groups: readonly ApprovalGroup[], votes: readonly Vote[]): 'Pending' | 'Approved' | 'Denied' {
  const denied = votes.some(({ userId, value }) => value === 'Denied' && mayVote(groups, userId, value));
  if (denied || groups.length === 0) return 'Denied';
  return standingsOf(groups, votes).every(({ quorum, have }) => have >= quorum) ? 'Approved' : 'Pending';
}

/** The approvals that each group has; a person counts once, with all hands, in each group that lists one of them as a voter. */
export function standingsOf(groups: readonly ApprovalGroup[], votes: readonly Vote[]): GroupStanding[] {
  const approving = new Set(votes.filter(({ value }) => value === 'Approved').map(({ userId }) => userId));
  return groups.map(({ name, quorum, voterIds, hands = {} }) => ({
    name,
    quorum,
    have: new Set(voterIds.filter((id) => approving.has(id)).map((id) => hands[id] ?? id)).size,
  }));
}
