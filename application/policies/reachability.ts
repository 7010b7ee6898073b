import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { UnreachableGroup } from '../../domain/reachability';
import { settingsOf } from '../../domain/settings';
import type { Reader, Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Policy, policyStore } from '../../entities/policies/policy.store';
import { reachabilityWarningStore } from '../../entities/policies/reachability-warning.store';
import { takenBack } from '../../entities/savepoint';
import { newlyUnreachable, unreachableGroups } from '../../policy/reachability';
import { peopleNow } from '../approvals/people';
import { type Authority, type VerifiedAction, warn } from '../user-actions/act';
import { reachabilityView } from './reachability-view';

const WARNINGS_MAX = 20;
/** A warning lists at most this many policies, and at most this many initiators for one group. */
const NAMED_MAX = 3;

type Unreachable = { readonly policy: Pick<Policy, 'id' | 'name'>; readonly groups: readonly UnreachableGroup[] };

/**
 * A change that may put a quorum out of reach. `cause` identifies the change in the recorded warnings. `action` is the user
 * action whose response carries the warning; undefined when an approved change takes effect without a caller.
 */
export type ReachChange = { readonly cause: string; readonly userId: string | null; readonly action: VerifiedAction | undefined };

export const changeOf = (what: string, id: string, { caller, action }: Authority): ReachChange => ({
  cause: `${what} ${id}`,
  userId: caller.userId,
  action,
});

/**
 * The initiators for whom the current people cannot reach the quorum of this policy, with the latest warnings about the policy.
 * Throws `NotFound`.
 */
export async function reachabilityOf(reader: Reader, orgId: string, policyId: string) {
  const policy = isId('policy', policyId) ? await policyStore.find(reader, policyId) : undefined;
  if (!policy) throw new AppError('NotFound', 'policy not found', { policyId });
  const [people, warnings] = await Promise.all([
    peopleNow(reader, orgId),
    reachabilityWarningStore.latest(reader, policyId, WARNINGS_MAX),
  ]);
  return reachabilityView(policy, unreachableGroups(policy, people), people.names, warnings);
}

/**
 * Records a warning for each policy whose approval group can no longer reach its quorum. Warns the caller in the response.
 * Throws `Unreachable` instead if the organisation's settings refuse such changes.
 */
export async function watchingReach<T>(tx: Tx, { cause, userId, action }: ReachChange, change: () => Promise<T>): Promise<T> {
  const before = await unreachableNow(tx);
  const result = await change();
  const fresh = await worseSince(tx, before);
  if (fresh.length === 0) return result;
  for (const { policy, groups } of fresh) {
    await reachabilityWarningStore.record(tx, { policyId: policy.id, cause, userId, findings: groups });
  }
  tellUnreachable(action, fresh);
  return result;
}

/**
 * Warns like `watchingReach` about a change that people still have to approve. Tries the change, rolls the change back, and
 * records no warning.
 */
export async function foreseeingReach(
  tx: Tx,
  { action }: Pick<ReachChange, 'action'>,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await unreachableNow(tx);
  const fresh = await takenBack(tx, async () => {
    await change();
    return worseSince(tx, before);
  });
  tellUnreachable(action, fresh);
}

/**
 * The approval groups that could reach their quorum before the change but not after the change. Throws `Unreachable` if the
 * organisation refuses such a change.
 */
async function worseSince(tx: Tx, before: readonly Unreachable[]): Promise<Unreachable[]> {
  // Two concurrent changes may each be harmless and together leave no approver. Every such change locks the organisation last.
  // The second change therefore waits here until the first change is visible.
  const { settings } = await organizationStore.lock(tx);
  const fresh = (await unreachableNow(tx)).flatMap(({ policy, groups }) => {
    const worse = newlyUnreachable(before.find((one) => one.policy.id === policy.id)?.groups ?? [], groups);
    return worse.length > 0 ? [{ policy, groups: worse }] : [];
  });
  if (fresh.length > 0 && settingsOf(settings).refuseUnreachable) {
    throw new AppError('Unreachable', `some approvals could no longer reach their quorum: ${inWords(fresh)}`, {
      policies: fresh.map(({ policy: { id, name }, groups }) => ({ policyId: id, name, groups })),
    });
  }
  return fresh;
}

/** Describes the policies with an approval group that the current people cannot satisfy. */
export async function unreachableAmong(reader: Reader, orgId: string, policies: readonly Policy[]): Promise<readonly string[]> {
  const people = await peopleNow(reader, orgId);
  return policies
    .map((policy) => ({ policy, groups: unreachableGroups(policy, people) }))
    .filter(({ groups }) => groups.length > 0)
    .map(policyInWords);
}

async function unreachableNow(tx: Tx): Promise<Unreachable[]> {
  const policies = await policyStore.asking(tx);
  if (policies.length === 0) return [];
  const people = await peopleNow(tx, tx.orgId);
  return policies.map((policy) => ({ policy, groups: unreachableGroups(policy, people) }));
}

function tellUnreachable(action: VerifiedAction | undefined, fresh: readonly Unreachable[]): void {
  if (fresh.length > 0) warn(action, `Unreachable: ${inWords(fresh)}`);
}

/** The text is sent in a header, which must be ASCII. Names may contain non-ASCII characters, so the text contains only ids. */
function inWords(fresh: readonly Unreachable[]): string {
  return fresh
    .map(policyInWords)
    .slice(0, NAMED_MAX)
    .concat(fresh.length > NAMED_MAX ? [`${fresh.length - NAMED_MAX} more policies`] : [])
    .join('; ');
}

const policyInWords = ({ policy, groups }: Unreachable): string => `${policy.id} ${groups.map(groupInWords).join(' and ')}`;

function groupInWords({ group, quorum, initiators, isForEveryone }: UnreachableGroup): string {
  if (isForEveryone) return `group ${group + 1} cannot reach its quorum of ${quorum} for any initiator`;
  const named = initiators.slice(0, NAMED_MAX).map(({ userId }) => userId);
  const more = initiators.length > named.length ? [`${initiators.length - named.length} more`] : [];
  return `group ${group + 1} cannot reach its quorum of ${quorum} when asked by ${[...named, ...more].join(' or ')}`;
}
