import type { ApprovalGroup, Seats, Vote, VoteValue } from '../domain/approvals';
import { MINUTE_MS } from '../domain/durations';
import type { Approvers, GroupDefinition, PolicyInForce } from '../domain/policies';
import type { GroupDemand } from './types';

/** An active user who can be named in a group. */
export type Candidate = {
  readonly id: string;
  /** Whether the user has a credential to vote with. */
  readonly isRegistered: boolean;
  readonly isServiceAccount: boolean;
  readonly createdBy: string | null;
  /** Whether the user or the user's credentials are too new to approve anything. */
  readonly isCooling: boolean;
};

export type GroupStanding = Pick<ApprovalGroup, 'groupId' | 'name' | 'quorum'> & { readonly have: number };

/** A service account is treated as the person who created it (S10). */
export const handOf = ({ id, isServiceAccount, createdBy }: Pick<Candidate, 'id' | 'isServiceAccount' | 'createdBy'>): string =>
  isServiceAccount && createdBy !== null ? createdBy : id;

/**
 * Fixes which users may vote, and from which time (S10). A group that does not list users includes every registered candidate,
 * except service accounts. A service account votes only if the group allows service accounts and lists this account. Users who
 * are too new may only deny. The initiator and other accounts of the same person may only deny, unless the group lets the
 * initiator approve. A group that cannot reach its quorum is accepted: the approval then stays pending until a denial or the
 * expiry.
 */
export function fixVoters(
  demands: readonly GroupDemand[],
  candidates: readonly Candidate[],
  initiatorHand: string,
  now: Date,
): ApprovalGroup[] {
  return demands.map(({ policyId, definition }) => {
    const { id: groupId, name = null, quorum, approvers, escalation } = definition;
    const first = listedIn(definition, approvers, candidates);
    const seats = seatsOf(definition, first, initiatorHand);
    const group = { policyId, ...(groupId === undefined ? {} : { groupId }), name, quorum, ...seats };
    if (escalation === undefined) return group;
    const second = listedIn(definition, escalation.approvers, candidates).filter((one) => !first.includes(one));
    const from = new Date(now.getTime() + escalation.afterMinutes * MINUTE_MS).toISOString();
    return { ...group, escalation: { from, ...seatsOf(definition, second, initiatorHand) } };
  });
}

function listedIn(definition: GroupDefinition, approvers: Approvers, candidates: readonly Candidate[]): Candidate[] {
  const named = approvers.userId?.in;
  return candidates
    .filter(({ isServiceAccount }) => !isServiceAccount || definition.serviceAccountsCanApprove === true)
    .filter(({ id, isRegistered, isServiceAccount }) =>
      named === undefined ? isRegistered && !isServiceAccount : named.includes(id),
    )
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function seatsOf(definition: GroupDefinition, listed: readonly Candidate[], initiatorHand: string): Seats {
  const mayOnlyDeny = (candidate: Candidate) =>
    candidate.isCooling || (handOf(candidate) === initiatorHand && definition.initiatorCanApprove !== true);
  const voters = listed.filter((candidate) => !mayOnlyDeny(candidate));
  const newIds = listed.filter(({ isCooling }) => isCooling).map(({ id }) => id);
  const hands = voters.filter((voter) => handOf(voter) !== voter.id).map((voter) => [voter.id, handOf(voter)]);
  return {
    voterIds: voters.map(({ id }) => id),
    denierIds: listed.filter(mayOnlyDeny).map(({ id }) => id),
    ...(newIds.length > 0 ? { newIds } : {}),
    ...(hands.length > 0 ? { hands: Object.fromEntries(hands) } : {}),
  };
}

/**
 * Whether the groups of a stored approval satisfy every demand of the policies. Another writer to the database may have lowered
 * a quorum or added voters.
 */
export function areAsked(groups: readonly ApprovalGroup[], demands: readonly GroupDemand[], initiatorId: string): boolean {
  return demands.every(({ policyId, definition }) =>
    groups.some((group) => {
      const isThis = group.policyId === policyId && (group.groupId === undefined || group.groupId === definition.id);
      return isThis && group.quorum >= definition.quorum && namesOnly(group, definition, initiatorId);
    }),
  );
}

function namesOnly({ voterIds, escalation }: ApprovalGroup, definition: GroupDefinition, initiatorId: string): boolean {
  const fits = (ids: readonly string[], lists: readonly Approvers[]) =>
    ids.every((id) => {
      const isListed = lists.some(({ userId }) => userId === undefined || userId.in.includes(id));
      return isListed && (id !== initiatorId || definition.initiatorCanApprove === true);
    });
  const { approvers, escalation: later } = definition;
  const all = later === undefined ? [approvers] : [approvers, later.approvers];
  return fits(voterIds, [approvers]) && fits(escalation?.voterIds ?? [], all);
}

/** The users who may approve or deny at the time `now`, including the users whom the group's escalation has added by then. */
export function seatsAt({ voterIds, denierIds, newIds = [], hands = {}, escalation }: ApprovalGroup, now: Date): Required<Seats> {
  if (escalation === undefined || new Date(escalation.from) > now) return { voterIds, denierIds, newIds, hands };
  return {
    newIds: [...newIds, ...(escalation.newIds ?? [])],
    voterIds: [...voterIds, ...escalation.voterIds],
    denierIds: [...denierIds, ...escalation.denierIds],
    hands: { ...hands, ...escalation.hands },
  };
}

/** An approval is accepted if the user is a voter in any group. A denial is accepted if the user is listed in any group. */
export function mayVote(groups: readonly ApprovalGroup[], userId: string, value: VoteValue, now: Date): boolean {
  return groups.some((group) => {
    const { voterIds, denierIds } = seatsAt(group, now);
    return voterIds.includes(userId) || (value === 'Denied' && denierIds.includes(userId));
  });
}

/** One denial is enough for `Denied`. `Approved` needs the quorum of every group. Without groups the outcome is `Denied`. */
export function voteOutcome(
  groups: readonly ApprovalGroup[],
  votes: readonly Vote[],
  now: Date,
): 'Pending' | 'Approved' | 'Denied' {
  const denied = votes.some(({ userId, value }) => value === 'Denied' && mayVote(groups, userId, value, now));
  if (denied || groups.length === 0) return 'Denied';
  return standingsOf(groups, votes, now).every(({ quorum, have }) => have >= quorum) ? 'Approved' : 'Pending';
}

/**
 * The accounts of one person are counted once per group. If an escalation adds a voter who has already approved as a member of
 * another group, that vote is counted too.
 */
export function standingsOf(groups: readonly ApprovalGroup[], votes: readonly Vote[], now: Date): GroupStanding[] {
  const approving = new Set(votes.filter(({ value }) => value === 'Approved').map(({ userId }) => userId));
  return groups.map((group) => {
    const { voterIds, hands } = seatsAt(group, now);
    const have = new Set(voterIds.filter((id) => approving.has(id)).map((id) => hands[id] ?? id)).size;
    const { groupId, name, quorum } = group;
    return { ...(groupId === undefined ? {} : { groupId }), name, quorum, have };
  });
}

/**
 * Whether the policy of every group is in force and still contains this group. A group with changed content is treated as the
 * same group, because the activity is judged again under the changed policy before it is released (S9). Groups that were stored
 * before groups had ids are matched by name.
 */
export function areStillAsked(groups: readonly ApprovalGroup[], inForce: readonly PolicyInForce[]): boolean {
  return groups.every(({ policyId, groupId, name }) => {
    const policy = inForce.find(({ id, mode }) => id === policyId && mode === 'Enforce');
    if (policy?.action.kind !== 'RequestApproval') return false;
    const { approvalGroups } = policy.action;
    if (groupId !== undefined && approvalGroups.every(({ id }) => id !== undefined))
      return approvalGroups.some(({ id }) => id === groupId);
    const asked = approvalGroups.filter((group) => (group.name ?? null) === name).length;
    return asked >= groups.filter((group) => group.policyId === policyId && group.name === name).length;
  });
}
