import { AppError } from '../domain/errors';
import type { IntegrationKind } from '../domain/integrations';
import type { Action, Rule } from '../domain/policies';
import type { Tx } from '../entities/database';
import { integrationStore } from '../entities/integrations/integration.store';
import type { PolicyContent } from '../entities/policies/policy.store';
import { registryAddressStore } from '../entities/registry/registry-address.store';
import { type Fault, faultsOf } from '../policy/faults';
import { eligibleNow } from './voters';

/**
 * Refuses a policy that combines what must not be combined, or names an approver who cannot decide or a record that is not there.
 * Throws `InvalidRequest` with the path of each member that is wrong.
 */
export async function assertSound(tx: Tx, { rule, action, filters }: PolicyContent): Promise<void> {
  refuse(faultsOf({ rule, action }));
  await assertConnected(tx, rule);
  await assertApprovers(tx, action);
  // An archived wallet is there: what it holds is still behind its key.
  await assertFiltered(tx, 'wallets', 'walletId', filters?.walletId?.in ?? []);
  await assertFiltered(tx, 'permissions', 'permissionId', filters?.permissionId?.in ?? []);
  await assertFiltered(tx, 'policies', 'policyId', filters?.policyId?.in ?? []);
  if (rule.kind === 'TransactionRecipientWhitelist') await assertRegistered(tx, rule.configuration.registryAddressIds ?? []);
}

/** A deleted entry lists nobody, so a policy that is written now may not name one. */
async function assertRegistered(tx: Tx, ids: readonly string[]): Promise<void> {
  const unknown = ids.length === 0 ? new Set() : await registryAddressStore.unknown(tx, ids);
  const message = 'is no active entry of the address registry';
  refuse(ids.flatMap((id, at) => (unknown.has(id) ? [{ path: `rule.configuration.registryAddressIds.${at}`, message }] : [])));
}

function refuse(faults: readonly Fault[]): void {
  const issues = faults.map(({ path, message }) => ({ path: `body.${path}`, message }));
  const [first] = issues;
  if (first) throw new AppError('InvalidRequest', `${first.path} ${first.message}`, { issues });
}

const NEEDS: Partial<Readonly<Record<Rule['kind'], IntegrationKind>>> = {
  KytATransactionPrescreening: 'KytA',
  KytATransactionScreening: 'KytA',
  KytBTransactionPrescreening: 'KytB',
  TravelRuleTransactionPrescreening: 'TravelRule',
};

/** A policy whose vendor nobody can ask would do nothing but what its fallbacks say. */
async function assertConnected(tx: Tx, { kind }: Rule): Promise<void> {
  const needed = NEEDS[kind];
  if (needed === undefined || (await integrationStore.isActive(tx, needed))) return;
  refuse([{ path: 'rule.kind', message: `needs the integration ${needed}, which is not active` }]);
}

/** A mistyped id in a filter would leave a policy that protects nothing. */
async function assertFiltered(
  tx: Tx,
  table: 'wallets' | 'permissions' | 'policies',
  operator: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.select<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1)`, [ids]);
  const known = new Set(rows.map(({ id }) => id));
  const message = 'is not there in the organisation';
  refuse(ids.flatMap((id, at) => (known.has(id) ? [] : [{ path: `filters.${operator}.in.${at}`, message }])));
}

/** A mistyped approver would leave activities waiting for nobody, so every name must be somebody who can decide. */
async function assertApprovers(tx: Tx, action: Action): Promise<void> {
  if (action.kind !== 'RequestApproval') return;
  const named = namedApprovers(action);
  const rows = named.length === 0 ? [] : await eligibleNow(tx, [...new Set(named.map(({ userId }) => userId))]);
  const eligible = new Map(rows.map((user) => [user.id, user]));
  const faults = named.flatMap(({ userId, path, takesPrograms }) => {
    const user = eligible.get(userId);
    if (!user) return [{ path, message: 'must be an active employee of the organisation' }];
    return user.isServiceAccount && !takesPrograms
      ? [{ path, message: 'is a service account, which this group does not take' }]
      : [];
  });
  refuse(faults);
}

type RequestApproval = Extract<Action, { kind: 'RequestApproval' }>;

type Named = { readonly userId: string; readonly path: string; readonly takesPrograms: boolean };

function namedApprovers({ approvalGroups }: RequestApproval): Named[] {
  return approvalGroups.flatMap(({ approvers, escalation, serviceAccountsCanApprove: takesPrograms = false }, group) => {
    const listed = (ids: readonly string[] | undefined, member: string): Named[] =>
      (ids ?? []).map((userId, at) => ({
        userId,
        takesPrograms,
        path: `action.approvalGroups.${group}.${member}.userId.in.${at}`,
      }));
    return [...listed(approvers.userId?.in, 'approvers'), ...listed(escalation?.approvers.userId?.in, 'escalation.approvers')];
  });
}
