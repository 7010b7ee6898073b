import type { Obstacle, UnreachableGroup } from '../../domain/reachability';
import type { Policy } from '../../entities/policies/policy.store';
import type { ReachabilityWarningEntity } from '../../entities/policies/reachability-warning.entity';

/** Why a group cannot get the vote of a person, as text for people. */
export const OBSTACLE_WORDS: Readonly<Record<Obstacle, string>> = {
  NotThere: 'no longer exists',
  Archived: 'was archived',
  Deactivated: 'is deactivated',
  EndUser: 'is an end user',
  ServiceAccountNotTaken: 'is a service account, which this group does not accept',
  ServiceAccountsMayNotVote: 'is a service account, and those may not vote in this organisation',
  NoCredential: 'has no credential to decide with',
  MayNotVote: 'has no permission to decide on approvals',
  NotInCharter: 'has no vote in the charter of the signer',
  Cooling: 'or the credentials of this user are too new to approve anything',
};

type Names = ReadonlyMap<string, string>;

/** The initiators whose activities a policy would hold for ever. */
export function reachabilityView(
  { id, status, mode }: Policy,
  groups: readonly UnreachableGroup[],
  names: Names,
  warnings: readonly ReachabilityWarningEntity[],
) {
  const nameOf = (userId: string) => names.get(userId) ?? userId;
  return {
    policyId: id,
    /**
     * The check treats an archived policy as a policy in force. A policy in `Shadow` requests no approval and has no listed
     * groups.
     */
    isInForce: status === 'Active' && mode === 'Enforce',
    isReachable: groups.length === 0,
    groups: groups.map((group) => ({ ...shown(group, nameOf), summary: summaryOf(group, nameOf) })),
    warnings: warnings.map(({ id: warningId, cause, userId, findings, dateCreated }) => ({
      id: warningId,
      cause,
      ...(userId === null ? {} : { userId }),
      dateCreated: dateCreated.toISOString(),
      groups: findings.map((group) => shown(group, nameOf)),
    })),
  };
}

function shown({ group, name, quorum, initiators, isForEveryone, hindered }: UnreachableGroup, nameOf: (id: string) => string) {
  return {
    group,
    ...(name === null ? {} : { name }),
    quorum,
    isForEveryone,
    initiators: initiators.map(({ userId, have }) => ({ userId, name: nameOf(userId), have })),
    hindered: hindered.map(({ userId, obstacle }) => ({ userId, name: nameOf(userId), obstacle })),
  };
}

function summaryOf(
  { group, name, quorum, initiators, isForEveryone, hindered }: UnreachableGroup,
  nameOf: (id: string) => string,
) {
  const called = name === null ? `Group ${group + 1}` : `The group ${name}`;
  const approvals = quorum === 1 ? '1 approval' : `${quorum} approvals`;
  const asked = isForEveryone ? 'for any initiator' : `when ${initiators.map(({ userId }) => nameOf(userId)).join(' or ')} asks`;
  const why = hindered.map(({ userId, obstacle }) => `${nameOf(userId)} ${OBSTACLE_WORDS[obstacle]}`);
  const because = why.length === 0 ? 'too few people may approve' : why.join('; ');
  return `${called} needs ${approvals}, which it cannot get ${asked}: ${because}.`;
}
