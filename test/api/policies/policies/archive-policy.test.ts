import { reviewChange } from '../../../../application/change-requests/release';
import { OrganizationEntity } from '../../../../entities/organizations/organization.entity';
import { newId } from '../../../../platform/ids';
import { firstIssue, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';
import { RELEASING } from '../../../support/releasing';

let parts: PolicyApi;
let policyId: string;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  const { body } = await parts.admin.client.change('POST', '/v2/policies', policyBody());
  policyId = (body as { id: string }).id;
});

const archive = (id = policyId, by = parts.admin, body?: unknown) => by.client.change('DELETE', `/v2/policies/${id}`, body);
const epoch = async () =>
  (await parts.api.database.db.read(parts.orgId).row(OrganizationEntity, 'WHERE t.id = $1', [parts.orgId]))?.policyEpoch ?? 0;

test('200: the policy is no longer in force and stays readable, and a second archiving changes nothing', async () => {
  const before = await epoch();
  const { status, body } = await archive();
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...policyBody(), id: policyId, status: 'Archived' });
  expect(await epoch()).toBe(before + 1);
  expect(await archive()).toMatchObject({ status: 200, body });
  expect(await epoch()).toBe(before + 1);
  expect(await parts.admin.client.get(`/v2/policies/${policyId}`)).toMatchObject({ status: 200, body });
});

test('400: a body that is not empty', async () => {
  const { status, body } = await archive(policyId, parts.admin, { force: true });
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe('body.force');
});

test('403: without Policies:Archive', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Update'] });
  expect((await archive(policyId, other)).status).toBe(403);
});

test('404: a policy that is unknown or belongs to another organisation', async () => {
  expect((await archive(newId('policy'))).status).toBe(404);
  expect((await archive(policyId, await parts.stranger())).status).toBe(404);
  expect(await parts.admin.client.get(`/v2/policies/${policyId}`)).toMatchObject({ body: { status: 'Active' } });
});

test('202: if another policy requires approval, the policy stays in force until people approve the archiving', async () => {
  const guard = policyBody({ activityKind: 'Policies:Modify', filters: { policyId: { in: [policyId] } } });
  await parts.admin.client.change('POST', '/v2/policies', guard);
  const { status, body } = await archive();
  expect(status).toBe(202);
  const change = body as { id: string; approvalId: string };
  expect(change).toMatchObject({ kind: 'Policy', operationKind: 'Update', body: { id: policyId, status: 'Archived' } });
  const shown = () => parts.admin.client.get(`/v2/policies/${policyId}`);
  expect((await shown()).body).toMatchObject({ status: 'Active' });
  await parts.approver.client.change('POST', `/v2/policy-approvals/${change.approvalId}/decisions`, { value: 'Approved' });
  await parts.api.database.db.withOrg(parts.orgId, (tx) => reviewChange(tx, change.id, RELEASING));
  expect((await shown()).body).toMatchObject({ status: 'Archived' });
});
