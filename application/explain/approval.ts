import type { ApprovalGroup, VoteValue } from '../../domain/approvals';
import { seatsAt, standingsOf, voteOutcome } from '../../policy/approvals';
import { isUnheard, lostGroups, obstacleNow } from '../../policy/reachability';
import type { ApprovalEnd, ExplainedApproval, NamedPerson, Next, Seat } from './explanation';
import type { ExplanationGrounds } from './grounds';
import { datesInWords, listInWords, peopleInWords } from './words';

type Parts = Pick<ExplanationGrounds, 'approval' | 'votes' | 'policies' | 'people'>;

export function explainedApproval({ approval, votes, policies, people }: Parts): ExplainedApproval | null {
  if (!approval) return null;
  const { activityKind } = approval;
  const lost = lostGroups(approval.groups, votes, people, activityKind);
  const standings = standingsOf(approval.groups, votes, people.now);
  return {
    approvalId: approval.id,
    status: approval.status,
    dateExpires: approval.dateExpires?.toISOString() ?? null,
    unreachableSince: approval.unreachableSince?.toISOString() ?? null,
    isReachable: approval.status !== 'Pending' || lost.length === 0,
    groups: approval.groups.map((group, at) => ({
      name: group.name,
      policyId: group.policyId,
      policyName: policies.get(group.policyId)?.name ?? group.policyId,
      quorum: group.quorum,
      have: standings[at]?.have ?? 0,
      most: lost.find((one) => one.group === at)?.most ?? group.quorum,
      people: seatsOf(group, activityKind, { votes, people }),
    })),
  };
}

function seatsOf(
  group: ApprovalGroup,
  activityKind: string,
  { votes, people }: Pick<ExplanationGrounds, 'votes' | 'people'>,
): Seat[] {
  const { escalation } = group;
  const isLater = escalation !== undefined && new Date(escalation.from) > people.now;
  const deniers = new Set([...group.denierIds, ...(escalation?.denierIds ?? [])]);
  const first = [...group.voterIds, ...group.denierIds];
  const later = escalation ? [...escalation.voterIds, ...escalation.denierIds] : [];
  return [...first, ...later].map((userId, at): Seat => {
    const named = { userId, name: people.names.get(userId) ?? userId };
    const vote = votes.find((one) => one.userId === userId);
    if (vote) {
      const { value, reason, dateCreated } = vote;
      return { ...named, standing: 'HasVoted', vote: { value, reason, date: dateCreated.toISOString() } };
    }
    const obstacle = obstacleNow(userId, people);
    if (obstacle !== undefined) return { ...named, standing: 'Gone', obstacle };
    if (at >= first.length && isLater && escalation) return { ...named, standing: 'Later', from: escalation.from };
    if (deniers.has(userId)) return { ...named, standing: 'MayOnlyDeny' };
    const person = people.all.get(userId);
    if (person && isUnheard(person, activityKind)) return { ...named, standing: 'MayOnlyDeny', obstacle: 'NotInCharter' };
    if (person?.isCooling) return { ...named, standing: 'MayOnlyDeny', obstacle: 'Cooling' };
    return { ...named, standing: 'MayDecide' };
  });
}

/** Null while the approval is pending, or if there is no approval. */
export function approvalEndOf({ approval, people }: Parts, explained: ExplainedApproval | null): ApprovalEnd | null {
  if (!approval || !explained || approval.status === 'Pending') return null;
  const seats = explained.groups.flatMap((group) => group.people);
  const cast = (value: VoteValue) => unique(seats.filter(({ vote }) => vote?.value === value));
  if (approval.status === 'Expired') return { kind: 'Expired', by: [] };
  if (approval.status === 'Approved') return { kind: 'Approved', by: cast('Approved') };
  if (approval.withdrawnByAction !== null) {
    const { initiatorId: userId } = approval;
    return { kind: 'Withdrawn', by: [{ userId, name: people.names.get(userId) ?? userId }] };
  }
  const deniers = cast('Denied');
  return { kind: deniers.length > 0 ? 'Denied' : 'Unasked', by: deniers };
}

/**
 * The consequences of every open decision, and of making no decision. `what` is the text by which a sentence refers to the
 * record.
 */
export function nextSteps({ approval, votes, people }: Parts, explained: ExplainedApproval | null, what: string): Next[] {
  if (!approval || !explained || approval.status !== 'Pending') return [];
  const seats = explained.groups.flatMap((group) => group.people);
  const present = unique(seats.filter(({ standing }) => standing === 'MayDecide' || standing === 'MayOnlyDeny'));
  const approvers = unique(seats.filter(({ standing }) => standing === 'MayDecide'));
  const results = approvers.map((person) => ({ person, ...afterApproval(approval.groups, votes, person, people.now) }));
  const approvals = (['Released', 'GroupComplete', 'OneMore'] as const).flatMap((outcome) => {
    const texts = new Map<string, NamedPerson[]>();
    for (const { person, outcome: found, text } of results) {
      if (found === outcome) texts.set(text, [...(texts.get(text) ?? []), person]);
    }
    return [...texts].map(([text, by]): Next => {
      const one = by.length === 1 ? peopleInWords(by) : `one of ${peopleInWords(by)}`;
      return { decision: 'Approve', outcome, by, sentence: `If ${one} approves, ${text.replace('{what}', what)}` };
    });
  });
  const denial: Next[] =
    present.length === 0
      ? []
      : [
          {
            decision: 'Deny',
            outcome: 'Rejected',
            by: present,
            sentence: `If ${present.length === 1 ? '' : 'any of '}${peopleInWords(present)} denies, ${what} is rejected at once.`,
          },
        ];
  return [...approvals, ...denial, silence(approval.dateExpires, what)];
}

function silence(dateExpires: Date | null, what: string): Next {
  if (dateExpires === null) {
    return { decision: 'Nothing', outcome: 'Waits', by: [], sentence: `If no one decides, ${what} waits indefinitely.` };
  }
  const sentence = `If it is not complete by ${datesInWords(dateExpires)}, ${what} is rejected automatically.`;
  return { decision: 'Nothing', outcome: 'Rejected', by: [], sentence };
}

function afterApproval(groups: readonly ApprovalGroup[], votes: ExplanationGrounds['votes'], { userId }: NamedPerson, now: Date) {
  const before = standingsOf(groups, votes, now);
  const cast = [...votes, { userId, value: 'Approved' as const }];
  const after = standingsOf(groups, cast, now);
  if (voteOutcome(groups, cast, now) === 'Approved') {
    return {
      outcome: 'Released' as const,
      text: 'every group has its quorum: {what} is judged again and proceeds unless the new verdict is stricter.',
    };
  }
  const theirs = groups.flatMap((group, at) => (seatsAt(group, now).voterIds.includes(userId) ? [at] : []));
  const completed = theirs.filter((at) => isComplete(after, at) && !isComplete(before, at));
  const open = after.flatMap(({ quorum, have }, at) =>
    have < quorum ? [`${quorum - have} more of ${groupInWords(groups, at)}`] : [],
  );
  const waits = `{what} still waits for ${listInWords(open)}.`;
  if (completed.length === 0) return { outcome: 'OneMore' as const, text: waits };
  const names = listInWords(completed.map((at) => groupInWords(groups, at)));
  return {
    outcome: 'GroupComplete' as const,
    text: `${names} ${completed.length === 1 ? 'has its' : 'have their'} quorum, and ${waits}`,
  };
}

const isComplete = (standings: ReturnType<typeof standingsOf>, at: number): boolean => {
  const one = standings[at];
  return one !== undefined && one.have >= one.quorum;
};

/** A group without a name is identified by its number. */
export const groupInWords = (groups: readonly { readonly name: string | null }[], at: number): string =>
  groups[at]?.name ? `the group ${groups[at]?.name}` : `group ${at + 1}`;

const unique = (seats: readonly Seat[]): NamedPerson[] => [
  ...new Map(seats.map(({ userId, name }) => [userId, { userId, name }])).values(),
];
