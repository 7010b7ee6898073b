import type { ApprovalGroup, Vote } from '../domain/approvals';
import type { ActivityKind, GroupDefinition, PolicyInForce } from '../domain/policies';
import type { HinderedVoter, Obstacle, UnreachableGroup } from '../domain/reachability';
import { type Candidate, handOf } from './approvals';

/** Somebody of the organisation as this moment shows them. */
export type Person = Candidate & {
  readonly isEndUser: boolean;
  readonly isActive: boolean;
  readonly isArchived: boolean;
  /** Whether their permissions let them decide on approvals. */
  readonly mayVote: boolean;
  /** The activities that they may ask for. */
  readonly initiates: readonly ActivityKind[];
};

/** Everybody, and whether the organisation lets programs vote where a group takes them. */
export type People = { readonly all: ReadonlyMap<string, Person>; readonly programsMayVote: boolean };

type Judged = Pick<PolicyInForce, 'activityKind' | 'action' | 'mode'>;

/** The groups of a policy that some approval could never bring to their quorum, by the people of this moment. */
export function unreachableGroups({ activityKind, action, mode }: Judged, people: People): UnreachableGroup[] {
  if (action.kind !== 'RequestApproval' || mode === 'Shadow') return [];
  const initiators = [...people.all.values()].filter((person) => isPresent(person) && person.initiates.includes(activityKind));
  return action.approvalGroups.flatMap((definition, group) => {
    const { hands, hindered } = votersOf(definition, people);
    const left = initiators.map((initiator) => ({ userId: initiator.id, have: haveFor(definition, hands, handOf(initiator)) }));
    const stuck = left.filter(({ have }) => have < definition.quorum);
    // Without anybody who may ask today there may be one tomorrow: what no number of votes can reach is said all the same.
    const isForEveryone = stuck.length === left.length && hands.size < definition.quorum;
    if (stuck.length === 0 && !isForEveryone) return [];
    const { name = null, quorum } = definition;
    return [{ group, name, quorum, initiators: stuck, isForEveryone, hindered }];
  });
}

/** How many people could approve in a group what this hand asks for. */
function haveFor({ initiatorCanApprove }: GroupDefinition, hands: ReadonlySet<string>, initiatorHand: string): number {
  return hands.size - (initiatorCanApprove !== true && hands.has(initiatorHand) ? 1 : 0);
}

/** The people, each with all hands as one, who may approve in a group; and whoever it takes or names and cannot. */
function votersOf(definition: GroupDefinition, people: People) {
  const hands = new Set<string>();
  const hindered: HinderedVoter[] = [];
  for (const id of takenBy(definition, people)) {
    const person = people.all.get(id);
    const obstacle = person === undefined ? 'NotThere' : obstacleOf(person, people, definition);
    if (obstacle !== undefined) hindered.push({ userId: id, obstacle });
    else if (person) hands.add(handOf(person));
  }
  return { hands, hindered };
}

/** Whoever a group names, with those whom it asks later; without names everyone whom it would take if they could vote. */
function takenBy({ approvers, escalation }: GroupDefinition, { all }: People): readonly string[] {
  const listed = [approvers, ...(escalation ? [escalation.approvers] : [])].map(({ userId }) => userId?.in);
  if (listed.every((ids) => ids !== undefined)) return [...new Set(listed.flat())].filter((id) => id !== undefined);
  const anyone = [...all.values()].filter((person) => isPresent(person) && !person.isEndUser && !person.isServiceAccount);
  return [...new Set([...listed.flatMap((ids) => ids ?? []), ...anyone.map(({ id }) => id)])];
}

const isPresent = ({ isActive, isArchived }: Person): boolean => isActive && !isArchived;

/** What keeps somebody from deciding on anything that is asked for now; undefined where nothing does. */
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

/**
 * What keeps a voter of a waiting approval from approving it. Whoever is too new by now may do so later, and whom the group takes was
 * decided when it was asked for.
 */
export function obstacleNow(userId: string, people: People): Obstacle | undefined {
  const person = people.all.get(userId);
  if (!person) return 'NotThere';
  return obstacleOf({ ...person, isCooling: false }, people, { serviceAccountsCanApprove: true });
}

/** The groups of a waiting approval that cannot reach their quorum any more, with as many as they can still have at most. */
export function lostGroups(groups: readonly ApprovalGroup[], votes: readonly Vote[], people: People) {
  const approved = new Set(votes.filter(({ value }) => value === 'Approved').map(({ userId }) => userId));
  return groups.flatMap((one, group) => {
    const { name, quorum, escalation } = one;
    // Those who are asked later can still complete it.
    const voterIds = [...one.voterIds, ...(escalation?.voterIds ?? [])];
    const hands = { ...one.hands, ...escalation?.hands };
    const able = voterIds.filter((id) => approved.has(id) || obstacleNow(id, people) === undefined);
    const most = new Set(able.map((id) => hands[id] ?? id)).size;
    return most < quorum ? [{ group, name, quorum, most }] : [];
  });
}

/** What of `after` is worse than `before`: groups and initiators that could be reached then. */
export function newlyUnreachable(before: readonly UnreachableGroup[], after: readonly UnreachableGroup[]): UnreachableGroup[] {
  return after.flatMap((now) => {
    const then = before.find(({ group }) => group === now.group);
    if (then?.isForEveryone) return [];
    const initiators = now.initiators.filter(({ userId }) => !then?.initiators.some((one) => one.userId === userId));
    return initiators.length > 0 || now.isForEveryone ? [{ ...now, initiators }] : [];
  });
}
