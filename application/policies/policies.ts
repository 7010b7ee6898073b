import { randomUUID } from 'node:crypto';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { Reader, Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Policy, type PolicyContent, type PolicyPage, policyStore } from '../../entities/policies/policy.store';
import { canonical } from '../../platform/canonical';
import { asksOf, withGroupIds } from '../../policy/groups';
import { amendByChanged, amendByCreated } from '../amendments/policy-amendments';
import { endUnasked } from '../approvals/ends';
import { type WithPendingChange, withPendingChanges } from '../change-requests/pending-changes';
import { type Apply, assertNothingPending, type Changed, makeChange, type Plan } from '../change-requests/proposals';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { watchingReach } from './reachability';
import { assertSound } from './soundness';
import { type PolicyView, policyView } from './view';

const notFound = (policyId: string) => new AppError('NotFound', 'policy not found', { policyId });

type Parts = Pick<Services, 'db' | 'dispatcher'>;
type WithPending = WithPendingChange<PolicyView, 'Policy'>;

/** Throws `NotFound`. */
export async function getPolicy(reader: Reader, policyId: string): Promise<WithPending> {
  const [found] = await withPending(reader, [await present(reader, policyId)]);
  if (!found) throw notFound(policyId);
  return found;
}

/** Newest first. If there is a next page, returns one row more than `limit`. */
export async function listPolicies(reader: Reader, page: PolicyPage): Promise<WithPending[]> {
  return withPending(reader, await policyStore.page(reader, page));
}

const withPending = (reader: Reader, rows: readonly Policy[]) => withPendingChanges(reader, 'Policy', rows, policyView);

/** Throws `Unreachable` and the errors of `assertSound`. */
export function createPolicy({ db }: Pick<Services, 'db'>, authority: Authority, content: PolicyContent): Promise<PolicyView> {
  return act(db, authority, async (tx, userActionId) => {
    await organizationStore.beginPolicyChange(tx);
    await assertSound(tx, content);
    const { caller, action } = authority;
    const id = await watchingReach(tx, { cause: 'Create of Policy', userId: caller.userId, action }, () =>
      policyStore.create(tx, { ...content, action: withGroupIds(content.action, undefined, randomUUID) }),
    );
    await organizationStore.bumpPolicyEpoch(tx);
    const created = await present(tx, id);
    await amendByCreated(tx, created, userActionId);
    return policyView(created);
  });
}

/**
 * Throws `NotFound`, `ChangePending`, `PolicyBlocked`, `Unreachable` and the errors of `assertSound`. Throws `WrongState` for
 * an archived policy.
 */
export function updatePolicy(
  services: Parts,
  authority: Authority,
  policyId: string,
  content: PolicyContent,
): Promise<Changed<PolicyView>> {
  return makeChange(services, authority, async (tx) => {
    const row = await lockPolicy(tx, policyId);
    if (row.status !== 'Active') throw new AppError('WrongState', 'policy is archived', { policyId });
    await assertNothingPending(tx, policyId);
    await assertSound(tx, content);
    return planOf(row, { ...content, status: 'Active' });
  });
}

/** Archives a policy for good. Idempotent. Throws `NotFound`, `ChangePending`, and `PolicyBlocked`. */
export function archivePolicy(services: Parts, authority: Authority, policyId: string): Promise<Changed<PolicyView>> {
  return makeChange(services, authority, async (tx) => {
    const row = await lockPolicy(tx, policyId);
    if (row.status === 'Archived') return { unchanged: policyView(row) };
    await assertNothingPending(tx, policyId);
    return planOf(row, { ...contentOf(row), status: 'Archived' });
  });
}

type StoredPolicy = PolicyContent & Pick<Policy, 'status'>;

const contentOf = ({ name, activityKind, rule, action, filters, mode }: Policy): PolicyContent => ({
  name,
  activityKind,
  rule,
  action,
  filters,
  mode,
});

function planOf(row: Policy, change: StoredPolicy): Plan<PolicyView> {
  return {
    proposal: {
      kind: 'Policy',
      operationKind: 'Update',
      entityId: row.id,
      subject: row.id,
      baseVersion: row.version,
      before: { ...contentOf(row), status: row.status },
      change,
      body: policyView({ ...row, ...change }),
    },
    apply: applyToPolicy,
    read: (tx) => shown(tx, row.id),
  };
}

/** The policy must still have the version that the request was based on. */
export const applyToPolicy: Apply = async (tx, { entityId, baseVersion, change, ...request }) => {
  const row = await lockPolicy(tx, entityId);
  if (row.status !== 'Active' || row.version !== baseVersion) return 'The policy has changed since this was requested';
  const content = change as StoredPolicy;
  if (content.status === 'Active') await assertSound(tx, content);
  // Approvals are bound to the version. The version does not rise when only names change, so people need not decide again.
  const isSame = content.status === 'Active' && judgement(row) === judgement(content);
  const action = withGroupIds(content.action, row.action, randomUUID);
  await policyStore.change(tx, entityId, { ...content, action, version: row.version + (isSame ? 0 : 1) });
  if (!isSame) await endUnasked(tx, entityId);
  await organizationStore.bumpPolicyEpoch(tx);
  await amendByChanged(tx, row, await present(tx, entityId), request);
  return undefined;
};

async function present(reader: Reader, policyId: string): Promise<Policy> {
  const row = isId('policy', policyId) ? await policyStore.find(reader, policyId) : undefined;
  if (!row) throw notFound(policyId);
  return row;
}

const shown = async (reader: Reader, policyId: string): Promise<PolicyView> => policyView(await present(reader, policyId));

async function lockPolicy(tx: Tx, policyId: string): Promise<Policy> {
  const row = isId('policy', policyId) ? await policyStore.lock(tx, policyId) : undefined;
  if (!row) throw notFound(policyId);
  return row;
}

const judgement = ({ rule, action, filters, mode = 'Enforce' }: Omit<PolicyContent, 'name'>): string =>
  canonical(JSON.parse(JSON.stringify({ rule, action: asksOf(action), filters, mode })));
