import { reviewChange } from '../../../../application/change-requests/release';
import { OrganizationEntity } from '../../../../entities/organizations/organization.entity';
import { policyStore } from '../../../../entities/policies/policy.store';
import { newId } from '../../../../platform/ids';
import { errorId, firstIssue, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';
import { REFUSED_POLICIES } from '../../../support/refused-policies';
import { RELEASING } from '../../../support/releasing';

let parts: PolicyApi;
let policyId: string;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  const { body } = await parts.admin.client.change(
    'POST',
    '/v2/policies',
    policyBody({ filters: { walletTags: { hasAny: ['a'] } } }),
  );
  policyId = (body as { id: string }).id;
});

const update = (body: unknown, id = policyId, by = parts.admin) => by.client.change('PUT', `/v2/policies/${id}`, body);
const reader = () => parts.api.database.db.read(parts.orgId);
const version = async () => (await policyStore.find(reader(), policyId))?.version;
const epoch = async () => (await reader().row(OrganizationEntity, 'WHERE t.id = $1', [parts.orgId]))?.policyEpoch ?? 0;

test('200: the body replaces the whole policy, including members that the body leaves out', async () => {
  const before = await epoch();
  const sent = policyBody({ name: 'No', action: { kind: 'Block' } });
  const { status, body } = await update(sent);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...sent,
    id: policyId,
    status: 'Active',
    dateCreated: expect.any(String),
    dateUpdated: expect.any(String),
  });
  expect(await version()).toBe(2);
  expect(await epoch()).toBe(before + 1);
});

test('200: a new name does not change the version of the policy that people have approved', async () => {
  const filters = { walletTags: { hasAny: ['a'] } };
  expect(await update(policyBody({ filters, name: 'Other words' }))).toMatchObject({
    status: 200,
    body: { name: 'Other words', filters },
  });
  expect(await version()).toBe(1);
});

test('200: a missing mode means Enforce, and a different mode makes a new version for approvers', async () => {
  const shadow = await update(policyBody({ mode: 'Shadow' }));
  expect(shadow).toMatchObject({ status: 200, body: { mode: 'Shadow' } });
  expect(await version()).toBe(2);
  expect((await parts.admin.client.get(`/v2/policies/${policyId}`)).body).toEqual(shadow.body);
  const listed = (await parts.admin.client.get('/v2/policies?limit=500')).body as { items: { id: string }[] };
  expect(listed.items.find(({ id }) => id === policyId)).toEqual(shadow.body);
  const enforced = await update(policyBody());
  expect(enforced.status).toBe(200);
  expect(enforced.body).not.toHaveProperty('mode');
  expect(await version()).toBe(3);
});

test.each(REFUSED_POLICIES)(
  '400: for %s, the error names the same path as when such a policy is created, and nothing changes',
  async (_title, set, path) => {
    const before = await epoch();
    const { status, body } = await update(policyBody(set));
    expect([status, firstIssue(body)]).toEqual([400, path]);
    expect([await version(), await epoch()]).toEqual([1, before]);
  },
);

test('400: the body is invalid, and nothing changes', async () => {
  const { status, body } = await update(policyBody({ rule: { kind: 'None' } }));
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe('body.rule.kind');
  const named = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: { userId: { in: [newId('user')] } } }] };
  const unknown = await update(policyBody({ action: named }));
  expect(unknown.status).toBe(400);
  expect(firstIssue(unknown.body)).toBe('body.action.approvalGroups.0.approvers.userId.in.0');
  expect(await version()).toBe(1);
});

test('403: without Policies:Update', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Create'] });
  expect((await update(policyBody(), policyId, other)).status).toBe(403);
});

test('404: a policy that is unknown or belongs to another organisation', async () => {
  expect((await update(policyBody(), newId('policy'))).status).toBe(404);
  expect((await update(policyBody(), policyId, await parts.stranger())).status).toBe(404);
  expect(await version()).toBe(1);
});

test('409: the policy is archived', async () => {
  await parts.admin.client.change('DELETE', `/v2/policies/${policyId}`);
  const { status, body } = await update(policyBody());
  expect(status).toBe(409);
  expect(errorId(body)).toBe('WrongState');
});

describe('changes of a policy that need approval because of another policy', () => {
  const guard = async (): Promise<string> => {
    const sent = policyBody({ activityKind: 'Policies:Modify', filters: { policyId: { in: [policyId] } } });
    return ((await parts.admin.client.change('POST', '/v2/policies', sent)).body as { id: string }).id;
  };
  const review = (id: string) => parts.api.database.db.withOrg(parts.orgId, (tx) => reviewChange(tx, id, RELEASING));
  const decide = (approvalId: string, value: string) =>
    parts.approver.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value });

  test('202: the policy stays in force as it is until people approve the whole new policy', async () => {
    await guard();
    const sent = policyBody({ name: 'Milder' });
    const { status, body } = await update(sent);
    expect(status).toBe(202);
    const change = body as { id: string; approvalId: string };
    expect(change).toMatchObject({
      kind: 'Policy',
      operationKind: 'Update',
      status: 'Pending',
      entityId: policyId,
      body: { ...sent, id: policyId, status: 'Active' },
    });
    expect(await version()).toBe(1);
    const shown = (await parts.admin.client.get(`/v2/policies/${policyId}`)).body;
    expect(shown).toMatchObject({ name: policyBody().name, pendingChangeRequest: change });
    const listed = (await parts.admin.client.get('/v2/policies?limit=500')).body as { items: { id: string }[] };
    expect(listed.items.find(({ id }) => id === policyId)).toEqual(shown);
    expect((await parts.approver.client.get(`/v2/policy-approvals/${change.approvalId}`)).body).toMatchObject({
      activity: { kind: 'Policies:Modify', changeRequest: change },
    });
    const before = await epoch();
    expect((await decide(change.approvalId, 'Approved')).status).toBe(200);
    expect(await review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
    expect(await version()).toBe(2);
    expect(await epoch()).toBe(before + 1);
    expect((await parts.admin.client.get(`/v2/policies/${policyId}`)).body).toMatchObject({ name: 'Milder' });
  });

  test('409: another change of the policy is waiting; neither a second change nor archiving is accepted', async () => {
    await guard();
    const change = (await update(policyBody({ name: 'First' }))).body as { id: string; approvalId: string };
    expect(errorId((await update(policyBody({ name: 'Second' }))).body)).toBe('ChangePending');
    expect(errorId((await parts.admin.client.change('DELETE', `/v2/policies/${policyId}`)).body)).toBe('ChangePending');
    await decide(change.approvalId, 'Denied');
    expect(await review(change.id)).toEqual({ outcome: 'Ended', status: 'Rejected' });
    expect(await version()).toBe(1);
  });
});
