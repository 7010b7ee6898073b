import type { ApprovalGroup, Vote } from '../domain/approvals';
import { isCharterActivity } from '../domain/charters';
import type { ActivityKind, GroupDefinition, PolicyInForce } from '../domain/policies';
import type { HinderedVoter, Obstacle, UnreachableGroup } from '../domain/reachability';
import { type Candidate, handOf } from './approvals';

export type Person = Candidate & {
  readonly isEndUser: boolean;
  readonly isActive: boolean;
  readonly isArchived: boolean;
  readonly mayVote: boolean;
  /** True if the organisation has a charter under which the signer does not accept this person's votes. */
  readonly isOutsideCharter: boolean;
  /** The activities that the person may request. */
  readonly initiates: readonly ActivityKind[];
};

/** `programsMayVote` is the setting that lets service accounts vote in groups that allow service accounts. */
export type People = { readonly all: ReadonlyMap<string, Person>; readonly programsMayVote: boolean };

type Judged = Pick<PolicyInForce, 'activityKind' | 'action' | 'mode'>;

/** The groups that, with the current people, cannot reach their quorum for at least one initiator. */
export function unreachableGroups({ activityKind, action, mode }: Judged, people: People): UnreachableGroup[] {
  if (action.kind !== 'RequestApproval' || mode === 'Shadow') return [];
  const initiators = [...people.all.values()].filter((person) => isPresent(person) && person.initiates.includes(activityKind));
  return action.approvalGroups.flatMap((definition, group) => {
    const { hands, hindered } = votersOf(definition, activityKind, people);
    const left = initiators.map((initiator) => ({ userId: initiator.id, have: haveFor(definition, hands, handOf(initiator)) }));
    const stuck = left.filter(({ have }) => have < definition.quorum);
    // A quorum that the voters cannot reach for any initiator is reported even if there is no initiator yet. A user may get the
    // right to request the activity later.
    const isForEveryone = stuck.length === left.length && hands.size < definition.quorum;
    if (stuck.length === 0 && !isForEveryone) return [];
    const { name = null, quorum } = definition;
    return [{ group, name, quorum, initiators: stuck, isForEveryone, hindered }];
  });
}

/** The number of people who could approve a request by this user. */
function haveFor({ initiatorCanApprove }: GroupDefinition, hands: ReadonlySet<string>, initiatorHand: string): number {
  return hands.size - (initiatorCanApprove !== true && hands.has(initiatorHand) ? 1 : 0);
}

/** A person with several accounts is counted once. */
function votersOf(definition: GroupDefinition, activityKind: string, people: People) {
  const hands = new Set<string>();
  const hindered: HinderedVoter[] = [];
  for (const id of takenBy(definition, people)) {
    const person = people.all.get(id);
    const unheard = person && isUnheard(person, activityKind) ? 'NotInCharter' : undefined;
    const obstacle = person === undefined ? 'NotThere' : (obstacleOf(person, people, definition) ?? unheard);
    if (obstacle !== undefined) hindered.push({ userId: id, obstacle });
    else if (person) hands.add(handOf(person));
  }
  return { hands, hindered };
}

/** A group that does not list users includes every active user, except end users and service accounts. */
function takenBy({ approvers, escalation }: GroupDefinition, { all }: People): readonly string[] {
  const listed = [approvers, ...(escalation ? [escalation.approvers] : [])].map(({ userId }) => userId?.in);
  if (listed.every((ids) => ids !== undefined)) return [...new Set(listed.flat())].filter((id) => id !== undefined);
  const anyone = [...all.values()].filter((person) => isPresent(person) && !person.isEndUser && !person.isServiceAccount);
  return [...new Set([...listed.flatMap((ids) => ids ?? []), ...anyone.map(({ id }) => id)])];
}

const isPresent = ({ isActive, isArchived }: Person): boolean => isActive && !isArchived;

function obstacleOf(
  person: Person,
  { programsMayVote }: People,
  { serviceAccountsCanApprove }: Pick<GroupDefinition, 'serviceAccountsCanApprove'>,
): Obstacle | undefined {
  if (person.isArchived) return 'Archived';
  if (!person.isActive) return 'Deactivated';
  if (person.isEndUser) return 'EndUser';
  if (person.isServiceAccount && serviceAccountsCanApprove !== true) return 'ServiceAccountNotTaken';
  if (person.isServiceAccount && !programsMayVote) return 'ServiceAccountsMayNotVote';
  if (!person.isRegistered) return 'NoCredential';
  if (!person.mayVote) return 'MayNotVote';
  return person.isCooling ? 'Cooling' : undefined;
}

/** True if the signer does not accept this person's approvals of such an activity. The person may still deny. */
export const isUnheard = ({ isOutsideCharter }: Pick<Person, 'isOutsideCharter'>, activityKind: string): boolean =>
  isOutsideCharter && isCharterActivity(activityKind);

/**
 * The obstacle for a voter of a pending approval. The waiting time of a new user is not an obstacle, because that time passes.
 * The group's rule about service accounts is not an obstacle either, because the request for approval fixed the voters.
 */
export function obstacleNow(userId: string, people: People): Obstacle | undefined {
  const person = people.all.get(userId);
  if (!person) return 'NotThere';
  return obstacleOf({ ...person, isCooling: false }, people, { serviceAccountsCanApprove: true });
}

/** The groups that can no longer reach their quorum. `most` is the highest number of approvals that the group can still get. */
export function lostGroups(groups: readonly ApprovalGroup[], votes: readonly Vote[], people: People, activityKind: string) {
  const approved = new Set(votes.filter(({ value }) => value === 'Approved').map(({ userId }) => userId));
  return groups.flatMap((one, group) => {
    const { name, quorum, escalation } = one;
    // Voters who are added by an escalation can still complete the quorum.
    const voterIds = [...one.voterIds, ...(escalation?.voterIds ?? [])];
    const hands = { ...one.hands, ...escalation?.hands };
    const counts = (id: string): boolean => {
      const person = people.all.get(id);
      if (person && isUnheard(person, activityKind)) return false;
      return approved.has(id) || obstacleNow(id, people) === undefined;
    };
    const able = voterIds.filter(counts);
    const most = new Set(able.map((id) => hands[id] ?? id)).size;
    return most < quorum ? [{ group, name, quorum, most }] : [];
  });
}

/**
 * Returns `after` without the groups that `before` already reports for everyone, and without the initiators that `before`
 * already lists.
 */
export function newlyUnreachable(before: readonly UnreachableGroup[], after: readonly UnreachableGroup[]): UnreachableGroup[] {
  return after.flatMap((now) => {
    const then = before.find(({ group }) => group === now.group);
    if (then?.isForEveryone) return [];
    const initiators = now.initiators.filter(({ userId }) => !then?.initiators.some((one) => one.userId === userId));
    return initiators.length > 0 || now.isForEveryone ? [{ ...now, initiators }] : [];
  });
}
