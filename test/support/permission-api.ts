import { reviewChange } from '../../application/change-requests/release';
import type { ChangeStanding } from '../../domain/change-requests';
import type { ChangeActivityKind } from '../../domain/policies';
import { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import { newId } from '../../platform/ids';
import { type Own, type Person, startApi } from './api';
import type { Answer } from './client';
import { RELEASING } from './releasing';

export type Waiting = {
  readonly id: string;
  readonly approvalId: string;
  readonly entityId: string;
  /** The members that the change sets. */
  readonly body: Readonly<Record<string, unknown>>;
};
type PolicySet = { readonly filters?: Record<string, unknown>; readonly action?: Record<string, unknown> };

/** The real API with an organisation of two full administrators. No workflow runs, so a test calls `review` itself. */
export async function startPermissionApi(options: Own = {}) {
  const api = await startApi(options);
  const { db } = api.database;
  const orgId = await api.createOrganization();
  const admin = await api.createPerson(orgId, { name: 'admin' });
  const approver = await api.createPerson(orgId, { name: 'approver' });
  const body = <T>({ status, body: answer }: Answer, expected = 200): T => {
    if (status !== expected) throw new Error(`answered ${status}: ${JSON.stringify(answer)}`);
    return answer as T;
  };

  return {
    api,
    db,
    orgId,
    admin,
    approver,
    body,
    /** Creates a permission with these operations over HTTP, and returns its id. */
    permission: async (operations: readonly string[] = ['Wallets:Read'], by: Person = admin): Promise<string> => {
      const name = `Permission ${newId('permission')}`;
      return body<{ id: string }>(await by.client.change('POST', '/permissions', { name, operations })).id;
    },
    assign: (permissionId: string, identityId: string, by: Person = admin) =>
      by.client.change('POST', `/permissions/${permissionId}/assignments`, { identityId }),
    /** Creates a policy that holds every change of this kind until an approver agrees. Returns its id. */
    hold: async (activityKind: ChangeActivityKind, set: PolicySet = {}, by: Person = admin): Promise<string> => {
      const action = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] };
      const policy = { name: 'Ask first', activityKind, rule: { kind: 'AlwaysTrigger' }, action, ...set };
      return body<{ id: string }>(await by.client.change('POST', '/v2/policies', policy)).id;
    },
    drop: async (policyId: string) => body(await admin.client.change('DELETE', `/v2/policies/${policyId}`)),
    decide: (approvalId: string, value: 'Approved' | 'Denied', by: Person = approver) =>
      by.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value }),
    /** Reviews a change as the woken workflow would. */
    review: (id: string): Promise<ChangeStanding> => db.withOrg(orgId, (tx) => reviewChange(tx, id, RELEASING)),
    row: (id: string) => db.read(orgId).row(ChangeRequestEntity, 'WHERE t.id = $1', [id]),
    stranger: async (): Promise<Person> => api.createPerson(await api.createOrganization()),
    close: () => api.close(),
  };
}

export type PermissionApi = Awaited<ReturnType<typeof startPermissionApi>>;
