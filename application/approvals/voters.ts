import type { ApprovalGroup, VoteValue } from '../../domain/approvals';
import { HOUR_MS } from '../../domain/durations';
import { AppError, invariant } from '../../domain/errors';
import { hoursNow, settingsOf } from '../../domain/settings';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { voterStore } from '../../entities/approvals/voter.store';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { UserEntity } from '../../entities/users/user.entity';
import { fixVoters, handOf, mayVote, seatsAt } from '../../policy/approvals';
import type { GroupDemand } from '../../policy/types';

const rulesNow = async (tx: Tx) => voterRules((await organizationStore.row(tx, tx.orgId)).settings, await tx.clock());

export function voterRules(settings: Readonly<Record<string, unknown>>, now: Date) {
  const hours = hoursNow(settings, 'voterCoolingHours', now);
  const coolSince = new Date(now.getTime() - hours * HOUR_MS);
  const isCooling = ({ dateCreated, dateCredentialsChanged }: UserEntity): boolean =>
    hours > 0 && (dateCreated > coolSince || (dateCredentialsChanged ?? dateCreated) > coolSince);
  return { now, hours, isCooling, serviceAccounts: settingsOf(settings).serviceAccountsMayVote };
}

/** The current voters of each group. An approval keeps its voters while the approval is pending (S10). */
export async function votersNow(tx: Tx, demands: readonly GroupDemand[], initiatorId: string): Promise<ApprovalGroup[]> {
  const { now, isCooling, serviceAccounts } = await rulesNow(tx);
  const eligible = await voterStore.eligible(tx, { serviceAccounts });
  const initiator = eligible.find(({ id }) => id === initiatorId) ?? (await userOf(tx, initiatorId));
  const candidates = eligible.map((user) => ({ ...user, isCooling: isCooling(user) }));
  return fixVoters(demands, candidates, initiator ? handOf(initiator) : initiatorId, now);
}

/** The users among `userIds` whom a policy may name as approvers. */
export async function eligibleNow(tx: Tx, userIds: readonly string[]): Promise<UserEntity[]> {
  const { serviceAccounts } = await rulesNow(tx);
  return voterStore.eligibleAmong(tx, userIds, { serviceAccounts });
}

const WAS_NEW = 'the user was too new when approval was requested';
type Asked = Pick<ApprovalEntity, 'groups' | 'initiatorId'>;

/**
 * Throws `Forbidden` unless the user was listed as a voter when the approval was requested, and may still decide. A user who is
 * too new, or whose credentials have changed too recently, may deny but not approve.
 */
export async function assertMayVote(tx: Tx, asked: Asked, userId: string, value: VoteValue): Promise<void> {
  const { groups } = asked;
  const { now, hours, isCooling, serviceAccounts } = await rulesNow(tx);
  if (!mayVote(groups, userId, 'Denied', now)) throw notAnApprover(groups, userId);
  const user = await userOf(tx, userId);
  invariant(user, 'a listed approver is a user');
  if (!mayVote(groups, userId, value, now)) {
    const wasNew = groups.some((group) => seatsAt(group, now).newIds.includes(userId));
    throw onlyDeny(wasNew ? WAS_NEW : await whyOnlyDeny(tx, asked, user));
  }
  // The user may have been deactivated while this vote was being processed.
  if (!user.isActive || user.dateArchived !== null) throw new AppError('Forbidden', 'user is no longer active');
  if (user.isServiceAccount && !serviceAccounts) {
    throw new AppError('Forbidden', 'service accounts may not vote in this organisation');
  }
  if (value === 'Approved' && isCooling(user)) throw onlyDeny(`the user or the user's credentials are newer than ${hours} hours`);
}

const userOf = (tx: Tx, id: string) => tx.row(UserEntity, 'WHERE t.id = $1', [id]);

async function whyOnlyDeny(tx: Tx, { initiatorId }: Asked, user: UserEntity): Promise<string> {
  if (user.id === initiatorId) return 'the user is the initiator';
  const initiator = await userOf(tx, initiatorId);
  if (initiator === undefined || handOf(initiator) !== handOf(user)) return WAS_NEW;
  if (!initiator.isServiceAccount) return 'the initiator created this service account';
  return user.isServiceAccount
    ? 'the initiator is a service account that the same person created'
    : 'the initiator is a service account that this user created';
}

/** If an escalation adds the user later, the error states the time from which the user may decide. */
function notAnApprover(groups: readonly ApprovalGroup[], userId: string): AppError {
  const [from] = groups
    .flatMap(({ escalation }) => escalation ?? [])
    .filter(({ voterIds, denierIds }) => voterIds.includes(userId) || denierIds.includes(userId))
    .map((escalation) => escalation.from)
    .sort();
  return new AppError('Forbidden', `user is not an approver of this activity${from === undefined ? '' : ` before ${from}`}`);
}

const onlyDeny = (why: string) => new AppError('Forbidden', `user may deny this activity but not approve it: ${why}`);
