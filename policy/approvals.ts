import type { ApprovalGroup, Vote, VoteValue } from '../domain/approvals';
import type { GroupDemand } from './types';

/** An active employee who may be named in a group; `isRegistered` says that the person has a credential to vote with. */
export type Candidate = { readonly id: string; readonly isRegistered: boolean };

/** How far one group is, in words for an operator. */
export type GroupStanding = { readonly name: string | null; readonly quorum: number; readonly have: number };

/**
 * Fixes who may vote at the moment of the request (S10). "Anyone in the organisation" means every registered employee of
 * that moment. A group whose quorum its voters cannot reach is allowed and stays pending until it is denied or expires.
 */
export function fixVoters(
  demands: readonly GroupDemand[],
  employees: readonly Candidate[],
  initiatorId: string,
): ApprovalGroup[] {
  const active = new Set(employees.map(({ id }) => id));
  const anyone = employees.filter(({ isRegistered }) => isRegistered).map(({ id }) => id);
  return demands.map(({ policyId, definition }) => {
    const named = definition.approvers.userId?.in;
    const listed = [...new Set(named === undefined ? anyone : named.filter((id) => active.has(id)))].sort();
    const mayOnlyDeny = (id: string) => id === initiatorId && definition.initiatorCanApprove !== true;
    return {
      policyId,
      name: definition.name ?? null,
      quorum: definition.quorum,
      voterIds: listed.filter((id) => !mayOnlyDeny(id)),
      denierIds: listed.filter(mayOnlyDeny),
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

/** The approvals that each group has; a user counts once, in each group that lists the user as a voter. */
export function standingsOf(groups: readonly ApprovalGroup[], votes: readonly Vote[]): GroupStanding[] {
  const approving = new Set(votes.filter(({ value }) => value === 'Approved').map(({ userId }) => userId));
  return groups.map(({ name, quorum, voterIds }) => ({
    name,
    quorum,
    have: [...new Set(voterIds)].filter((id) => approving.has(id)).length,
  }));
}
