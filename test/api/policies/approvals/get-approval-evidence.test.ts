import { createHash } from 'node:crypto';
import { newId } from '../../../../platform/ids';
import { errorId, type PolicyApi, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

type Evidence = { readonly approvalId: string; readonly digest: string; readonly committed: Record<string, unknown> };

/** Sorts the members as an approver's own tool would, and shares no code with the service. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('200: the returned digest is the digest of the returned text, and a decision signs this digest', async () => {
  const approvalId = await parts.hold();
  const { status, body } = await parts.approver.client.get(`/v2/policy-approvals/${approvalId}/evidence`);
  expect(status).toBe(200);
  const { digest, committed } = body as Evidence;
  expect(sha256(JSON.stringify(sorted(committed)))).toBe(digest);
  expect(committed).toMatchObject({ org: parts.orgId, activityKind: 'Wallets:Sign', policies: [{ version: 1 }] });
  expect(committed['envelope']).toBeDefined();

  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  const announced = await parts.approver.client.announce('POST', path, '{"value":"Approved"}');
  const { challenge, commitment } = announced.body as { challenge: string; commitment: Record<string, unknown> };
  expect(commitment).toMatchObject({ approvalDigest: digest, path, method: 'POST', bodySha256: sha256('{"value":"Approved"}') });
  expect(Buffer.from(challenge, 'base64url').subarray(16).toString('hex')).toBe(sha256(JSON.stringify(sorted(commitment))));
});

test('200: an approval from an earlier release has no committed text', async () => {
  const approvalId = await parts.hold();
  await parts.api.database.db.withOrg(parts.orgId, (tx) =>
    tx.query('UPDATE approvals SET committed = NULL WHERE org_id = $1 AND id = $2', [parts.orgId, approvalId]),
  );
  const { body } = await parts.approver.client.get(`/v2/policy-approvals/${approvalId}/evidence`);
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(body).toEqual({ approvalId, digest, committed: null, requested: null });
});

test('403: without Policies:Approvals:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await other.client.get(`/v2/policy-approvals/${await parts.hold()}/evidence`)).status).toBe(403);
});

test('404: an approval that is unknown or belongs to another organisation', async () => {
  const stranger = await parts.stranger();
  for (const { status, body } of [
    await parts.admin.client.get(`/v2/policy-approvals/${newId('approval')}/evidence`),
    await stranger.client.get(`/v2/policy-approvals/${await parts.hold()}/evidence`),
  ]) {
    expect(status).toBe(404);
    expect(errorId(body)).toBe('NotFound');
  }
});
