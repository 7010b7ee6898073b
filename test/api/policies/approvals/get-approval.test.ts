import { newId } from '../../../../platform/ids';
import { errorId, type PolicyApi, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

test('200: the approval shows the activity, why it is held, until when, and who decided', async () => {
  const approvalId = await parts.hold();
  const { status, body } = await parts.approver.client.get(`/v2/policy-approvals/${approvalId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: approvalId,
    initiatorId: parts.admin.userId,
    activity: { kind: 'Wallets:Sign', transferRequest: expect.objectContaining({ approvalId, status: 'Pending' }) },
    status: 'Pending',
    expirationDate: expect.stringMatching(/Z$/),
    dateCreated: expect.stringMatching(/Z$/),
    dateUpdated: expect.stringMatching(/Z$/),
    policyEvaluations: [{ policyId: expect.stringMatching(/^plc-/), triggered: true, reason: expect.any(String) }],
    decisions: [],
  });
});

test('403: without Policies:Approvals:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await other.client.get(`/v2/policy-approvals/${await parts.hold()}`)).status).toBe(403);
});

test('404: an approval that is unknown or belongs to another organisation, and a text that is not an id', async () => {
  const stranger = await parts.stranger();
  for (const { status, body } of [
    await parts.admin.client.get(`/v2/policy-approvals/${newId('approval')}`),
    await stranger.client.get(`/v2/policy-approvals/${await parts.hold()}`),
    await parts.admin.client.get('/v2/policy-approvals/nothing'),
  ]) {
    expect(status).toBe(404);
    expect(errorId(body)).toBe('NotFound');
  }
});
