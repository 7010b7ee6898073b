import { OrganizationEntity } from '../../../../entities/organizations/organization.entity';
import { PolicyEntity } from '../../../../entities/policies/policy.entity';
import { newId } from '../../../../platform/ids';
import { errorId, firstIssue, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';

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
const version = async () => (await reader().row(PolicyEntity, 'WHERE t.id = $1', [policyId]))?.version;
const epoch = async () => (await reader().row(OrganizationEntity, 'WHERE t.id = $1', [parts.orgId]))?.policyEpoch ?? 0;

test('200: the body replaces everything, what it leaves out included', async () => {
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

test('200: a new name alone keeps the version that people have approved', async () => {
  const filters = { walletTags: { hasAny: ['a'] } };
  expect(await update(policyBody({ filters, name: 'Other words' }))).toMatchObject({
    status: 200,
    body: { name: 'Other words', filters },
  });
  expect(await version()).toBe(1);
});

test('400: a body that does not fit is refused and changes nothing', async () => {
  const { status, body } = await update(policyBody({ rule: { kind: 'None' } }));
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe('body.rule.kind');
  const named = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: { userId: { in: [newId('user')] } } }] };
  const unknown = await update(policyBody({ action: named }));
  expect(unknown.status).toBe(400);
  expect(firstIssue(unknown.body)).toBe('body.action.approvalGroups.0.approvers.userId.in.0');
  expect(await version()).toBe(1);
});

test('403: it needs Policies:Update', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Create'] });
  expect((await update(policyBody(), policyId, other)).status).toBe(403);
});

test('404: a policy that is unknown or of another organisation', async () => {
  expect((await update(policyBody(), newId('policy'))).status).toBe(404);
  expect((await update(policyBody(), policyId, await parts.stranger())).status).toBe(404);
  expect(await version()).toBe(1);
});

test('409: an archived policy stays as it was', async () => {
  await parts.admin.client.change('DELETE', `/v2/policies/${policyId}`);
  const { status, body } = await update(policyBody());
  expect(status).toBe(409);
  expect(errorId(body)).toBe('WrongState');
});
