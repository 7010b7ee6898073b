import { AppError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { Action } from '../domain/policies';
import type { Reader, Tx } from '../entities/database';
import { organizationStore } from '../entities/organizations/organization.store';
import type { PolicyEntity } from '../entities/policies/policy.entity';
import { type PolicyContent, policyStore } from '../entities/policies/policy.store';
import { canonical } from '../platform/canonical';
import { handOf } from '../policy/approvals';
import { type Authority, act } from './authority';
import type { Services } from './services';
import { type PolicyView, policyView } from './views/policies';
import { eligibleNow } from './voters';

const notFound = (policyId: string) => new AppError('NotFound', 'policy not found', { policyId });

/** Throws `NotFound` for a policy that this organisation does not have. */
export async function getPolicy(reader: Reader, policyId: string): Promise<PolicyView> {
  const row = isId('policy', policyId) ? await policyStore.find(reader, policyId) : undefined;
  if (!row) throw notFound(policyId);
  return policyView(row);
}

/** Puts a policy into force. Throws `InvalidRequest` when a named approver is nobody who can decide. */
export function createPolicy({ db }: Pick<Services, 'db'>, authority: Authority, content: PolicyContent): Promise<PolicyView> {
  return act(db, authority, async (tx) => {
    await assertApprovers(tx, content.action);
    const id = await policyStore.create(tx, content);
    await organizationStore.bumpPolicyEpoch(tx);
    return getPolicy(tx, id);
  });
}

/** Replaces what an active policy says. Throws `NotFound`, `WrongState` for an archived one, `InvalidRequest` as at creation. */
export function updatePolicy(
  { db }: Pick<Services, 'db'>,
  authority: Authority,
  policyId: string,
  content: PolicyContent,
): Promise<PolicyView> {
  return act(db, authority, async (tx) => {
    const row = await lockPolicy(tx, policyId);
    if (row.status !== 'Active') throw new AppError('WrongState', 'policy is archived', { policyId });
    await assertApprovers(tx, content.action);
    // Approvals are bound to the version, so a new name alone does not ask people to decide again.
    const version = row.version + (judgement(row) === judgement(content) ? 0 : 1);
    await policyStore.change(tx, policyId, { ...content, version, status: 'Active' });
    await organizationStore.bumpPolicyEpoch(tx);
    return getPolicy(tx, policyId);
  });
}

/** Takes a policy out of force, for good. Archiving it again changes nothing. Throws `NotFound`. */
export function archivePolicy({ db }: Pick<Services, 'db'>, authority: Authority, policyId: string): Promise<PolicyView> {
  return act(db, authority, async (tx) => {
    const row = await lockPolicy(tx, policyId);
    if (row.status === 'Archived') return policyView(row);
    await policyStore.change(tx, policyId, { version: row.version + 1, status: 'Archived' });
    await organizationStore.bumpPolicyEpoch(tx);
    return getPolicy(tx, policyId);
  });
}

async function lockPolicy(tx: Tx, policyId: string): Promise<PolicyEntity> {
  const row = isId('policy', policyId) ? await policyStore.lock(tx, policyId) : undefined;
  if (!row) throw notFound(policyId);
  return row;
}

const judgement = ({ rule, action, filters }: Pick<PolicyContent, 'rule' | 'action' | 'filters'>): string =>
  canonical(JSON.parse(JSON.stringify({ rule, action, filters })));

/** A mistyped approver would leave activities waiting for nobody, so every name must be somebody who can decide. */
async function assertApprovers(tx: Tx, action: Action): Promise<void> {
  if (action.kind !== 'RequestApproval') return;
  const named = namedApprovers(action);
  const rows = named.length === 0 ? [] : await eligibleNow(tx, [...new Set(named.map(({ userId }) => userId))]);
  const eligible = new Map(rows.map((user) => [user.id, user]));
  assertReachable(action, (id) => handOf(eligible.get(id) ?? { id, isServiceAccount: false, createdBy: null }));
  const issues = named.flatMap(({ userId, path, takesPrograms }) => {
    const user = eligible.get(userId);
    if (!user) return [{ path, message: 'must be an active employee of the organisation' }];
    return user.isServiceAccount && !takesPrograms
      ? [{ path, message: 'is a service account, which this group does not take' }]
      : [];
  });
  const [first] = issues;
  if (first) throw new AppError('InvalidRequest', `${first.path} ${first.message}`, { issues });
}

/** A quorum of more people than a group names is never reached, so what it holds would never move again. */
function assertReachable(
  { approvalGroups }: Extract<Action, { kind: 'RequestApproval' }>,
  hand: (userId: string) => string,
): void {
  const message = 'must not be greater than the number of people named';
  const issues = approvalGroups.flatMap(({ quorum, approvers }, group) =>
    approvers.userId && quorum > new Set(approvers.userId.in.map(hand)).size
      ? [{ path: `body.action.approvalGroups.${group}.quorum`, message }]
      : [],
  );
  if (issues.length > 0) throw new AppError('InvalidRequest', `${issues[0]?.path} ${message}`, { issues });
}

type Named = { readonly userId: string; readonly path: string; readonly takesPrograms: boolean };

function namedApprovers({ approvalGroups }: Extract<Action, { kind: 'RequestApproval' }>): Named[] {
  return approvalGroups.flatMap(({ approvers, serviceAccountsCanApprove = false }, group) =>
    (approvers.userId?.in ?? []).map((userId, index) => ({
      userId,
      takesPrograms: serviceAccountsCanApprove,
      path: `body.action.approvalGroups.${group}.approvers.userId.in.${index}`,
    })),
  );
}
