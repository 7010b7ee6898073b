import { reviewChange } from '../../application/change-requests/release';
import type { ChangeActivityKind } from '../../domain/policies';
import { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import { switchOn } from './keys';
import type { Waiting } from './permission-api';
import { RELEASING } from './releasing';
import { startWalletApi } from './wallet-api';

type Answer = { readonly status: number; readonly body: unknown };

/** The wallet API with a second person, who decides about exports, imports and delegations of keys. */
export async function startHeldKeysApi() {
  const wallets = await startWalletApi();
  const { admin, api, orgId } = wallets;
  const { db } = api.database;
  const approver = await api.createPerson(orgId, { name: 'approver' });
  await switchOn(wallets, orgId, 'keyImport', 'keyExport');
  const action = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] };
  const change = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    const answer = await admin.client.change(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as { id: string };
  };
  const waiting = ({ status, body }: Answer): Waiting => {
    if (status !== 202) throw new Error(`the change does not wait: ${status} ${JSON.stringify(body)}`);
    return body as Waiting;
  };
  return {
    ...wallets,
    db,
    approver,
    waiting,
    /** Creates a policy that holds every activity of this kind, and returns its id. `set` replaces members of the policy. */
    hold: async (activityKind: ChangeActivityKind, set: object = {}) => {
      const policy = { name: 'Ask first', activityKind, rule: { kind: 'AlwaysTrigger', configuration: {} }, action, ...set };
      return (await change('POST', '/v2/policies', policy)).id;
    },
    drop: async (policyId: string) => void (await change('DELETE', `/v2/policies/${policyId}`)),
    /** Decides about a waiting change as the approver, and returns the state of the change afterwards. */
    decide: async (answer: Answer, value: 'Approved' | 'Denied') => {
      const { id, approvalId } = waiting(answer);
      const voted = await approver.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value });
      if (voted.status !== 200) throw new Error(`the vote returned ${voted.status}: ${JSON.stringify(voted.body)}`);
      return db.withOrg(orgId, (tx) => reviewChange(tx, id, RELEASING));
    },
    row: async (answer: Answer) => db.read(orgId).row(ChangeRequestEntity, 'WHERE t.id = $1', [waiting(answer).id]),
  };
}

export type HeldKeysApi = Awaited<ReturnType<typeof startHeldKeysApi>>;
