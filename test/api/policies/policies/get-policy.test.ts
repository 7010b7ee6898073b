import { newId } from '../../../../platform/ids';
import { errorId, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
let policyId: string;
beforeAll(async () => {
  parts = await startPolicyApi();
  const { body } = await parts.admin.client.change('POST', '/v2/policies', policyBody());
  policyId = (body as { id: string }).id;
});
afterAll(() => parts?.close());

test('200: the answer is the policy as it was returned at its creation, without absent filters', async () => {
  const { status, body } = await parts.admin.client.get(`/v2/policies/${policyId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...policyBody(),
    id: policyId,
    status: 'Active',
    dateCreated: expect.any(String),
    dateUpdated: expect.any(String),
  });
});

test('403: without Policies:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Create'] });
  expect((await other.client.get(`/v2/policies/${policyId}`)).status).toBe(403);
});

test('404: a policy that is unknown or belongs to another organisation, and a text that is not an id', async () => {
  const stranger = await parts.stranger();
  for (const { status, body } of [
    await parts.admin.client.get(`/v2/policies/${newId('policy')}`),
    await stranger.client.get(`/v2/policies/${policyId}`),
    await parts.admin.client.get(`/v2/policies/${encodeURIComponent(`plc' OR 1=1 --`)}`),
  ]) {
    expect(status).toBe(404);
    expect(errorId(body)).toBe('NotFound');
  }
});
