import { fieldFaults } from '../../domain/field-faults';
import type { Action, Filters } from '../../domain/policies';
import type { Tx } from '../../entities/database';
import { integrationStore } from '../../entities/integrations/integration.store';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';
import { knownIds } from '../../entities/known-ids';
import type { PolicyContent } from '../../entities/policies/policy.store';
import { registryAddressStore } from '../../entities/registry/registry-address.store';
import { type Fault, faultsOf } from '../../policy/faults';
import { needsOfRule } from '../../policy/rules';
import type { RuleNeeds } from '../../policy/rules/rule';
import { eligibleNow } from '../approvals/voters';

/** Throws `InvalidRequest` with each fault that the first failing check finds; `at` is the path of the policy in the request. */
export async function assertSound(tx: Tx, { rule, action, filters }: PolicyContent, at = 'body'): Promise<void> {
  const found = async (faults: readonly Fault[] | Promise<readonly Fault[]>) => refuse(await faults, at);
  await found(faultsOf({ rule, action }));
  const needs = needsOfRule(rule);
  await found(unconnected(tx, needs));
  await found(wrongApprovers(tx, action));
  // An archived wallet is accepted, because its key still controls its assets.
  await found(unknownInFilter(tx, 'wallets', 'walletId', filters?.walletId?.in ?? []));
  await found(unknownInFilter(tx, 'permissions', 'permissionId', filters?.permissionId?.in ?? []));
  await found(unknownInFilter(tx, 'policies', 'policyId', filters?.policyId?.in ?? []));
  await found(unknownStores(tx, filters?.storeId ?? {}));
  await found(unregistered(tx, needs.registryAddressIds ?? []));
}

/** A deleted entry of the address registry does not match any address. */
async function unregistered(tx: Tx, ids: readonly string[]): Promise<readonly Fault[]> {
  const unknown = ids.length === 0 ? new Set() : await registryAddressStore.unknown(tx, ids);
  const message = 'is not an active entry of the address registry';
  return ids.flatMap((id, at) => (unknown.has(id) ? [{ path: `rule.configuration.registryAddressIds.${at}`, message }] : []));
}

function refuse(faults: readonly Fault[], at: string): void {
  const issues = faults.map(({ path, message }) => ({ path: `${at}.${path}`, message }));
  if (issues.length > 0) throw fieldFaults(issues);
}

/** Without a connected vendor, the policy would never get an answer. */
async function unconnected(tx: Tx, { screening, travelRule }: RuleNeeds): Promise<readonly Fault[]> {
  const needed = screening ?? (travelRule && 'TravelRule');
  if (needed === undefined || (await integrationStore.isActive(tx, needed))) return [];
  return [{ path: 'rule.kind', message: `needs the integration ${needed}, which is not active` }];
}

/** A mistyped id would leave a policy that protects nothing. */
async function unknownInFilter(
  tx: Tx,
  table: 'wallets' | 'permissions' | 'policies',
  operator: string,
  ids: readonly string[],
): Promise<readonly Fault[]> {
  if (ids.length === 0) return [];
  const known = await knownIds(tx, table, ids);
  const message = 'does not exist in the organisation';
  return ids.flatMap((id, at) => (known.has(id) ? [] : [{ path: `filters.${operator}.in.${at}`, message }]));
}

/** A removed store has no keys, and its id is never used again. */
async function unknownStores(tx: Tx, listed: NonNullable<Filters['storeId']>): Promise<readonly Fault[]> {
  const present = (await keyStoresStore.list(tx)).filter(({ state }) => state !== 'Removed').map(({ storeId }) => storeId);
  const message = `must be a key store of the organisation: ${present.join(', ')}`;
  return (['in', 'notIn'] as const).flatMap((operator) =>
    (listed[operator] ?? []).flatMap((id, at) =>
      present.includes(id) ? [] : [{ path: `filters.storeId.${operator}.${at}`, message }],
    ),
  );
}

/** A mistyped approver id would leave activities waiting for ever. */
async function wrongApprovers(tx: Tx, action: Action): Promise<readonly Fault[]> {
  if (action.kind !== 'RequestApproval') return [];
  const named = namedApprovers(action);
  const rows = named.length === 0 ? [] : await eligibleNow(tx, [...new Set(named.map(({ userId }) => userId))]);
  const eligible = new Map(rows.map((user) => [user.id, user]));
  return named.flatMap(({ userId, path, takesPrograms }) => {
    const user = eligible.get(userId);
    if (!user) return [{ path, message: 'must be an active employee of the organisation' }];
    return user.isServiceAccount && !takesPrograms
      ? [{ path, message: 'is a service account, which this group does not accept' }]
      : [];
  });
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
