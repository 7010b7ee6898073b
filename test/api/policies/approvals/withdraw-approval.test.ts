import { reviewApproval } from '../../../../application/approvals/ends';
import { approvalStore } from '../../../../entities/approvals/approval.store';
import { EventEntity } from '../../../../entities/events/event.entity';
import { OutboxRowEntity } from '../../../../entities/outbox/outbox-row.entity';
import { newId } from '../../../../platform/ids';
import { insertPolicy } from '../../../support/held-activity';
import { askFor } from '../../../support/policies';
import { eachWithApproval, errorId, firstIssue, type PolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
let approvalId: string;
eachWithApproval((...held) => {
  [parts, approvalId] = held;
});

const pathOf = (id = approvalId) => `/v2/policy-approvals/${id}/withdraw`;
const withdraw = (by = parts.admin, id = approvalId) => by.client.change('POST', pathOf(id), {});
const reader = () => parts.api.database.db.read(parts.orgId);

test('200: the initiator withdraws the request without a vote, and its waiting workflow gets a signal with the reason', async () => {
  const { status, body } = await withdraw();
  expect([status, body]).toMatchObject([
    200,
    { id: approvalId, status: 'Denied', decisions: [], dateResolved: expect.any(String) },
  ]);
  const row = await approvalStore.find(reader(), approvalId);
  expect(row?.withdrawnByAction).toMatch(/^ua-/);
  const standing = await parts.api.database.db.withOrg(parts.orgId, (tx) => reviewApproval(tx, approvalId));
  expect(standing).toMatchObject({ status: 'Denied', reason: 'Withdrawn by its initiator' });
  const woken = await reader().rows(OutboxRowEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'signal'`, [row?.activityId ?? '']);
  expect(woken.map(({ routing }) => routing['signal'])).toEqual(['approvalChanged']);
  const events = await reader().rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [approvalId]);
  expect(events.map(({ kind }) => kind)).toEqual(['policy.approval.pending', 'policy.approval.resolved']);
});

test('200: an initiator who is in no group and has no permission may withdraw the request', async () => {
  const { createPerson } = parts.api;
  const asking = await createPerson(parts.orgId, { operations: [] });
  const approvers = { userId: { in: [parts.approver.userId] } };
  await insertPolicy(parts.api.database.db, parts.orgId, { action: askFor([{ name: 'One', quorum: 1, approvers }]) });
  expect((await withdraw(asking, await parts.hold(asking))).status).toBe(200);
});

test('403: any other person, even an approver', async () => {
  for (const other of [parts.approver, await parts.api.createPerson(parts.orgId)]) {
    const { status, body } = await withdraw(other);
    expect([status, errorId(body)]).toEqual([403, 'Forbidden']);
  }
  expect((await approvalStore.find(reader(), approvalId))?.status).toBe('Pending');
});

test('404: an approval that is unknown or belongs to another organisation', async () => {
  expect((await withdraw(parts.admin, newId('approval'))).status).toBe(404);
  expect((await withdraw(await parts.stranger())).status).toBe(404);
});

test('409: the approval has ended, for example by withdrawal; votes on it are refused too', async () => {
  await withdraw();
  const again = await withdraw();
  expect([again.status, errorId(again.body)]).toEqual([409, 'ApprovalClosed']);
  const vote = await parts.approver.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' });
  expect([vote.status, errorId(vote.body)]).toEqual([409, 'ApprovalClosed']);
});

test('400: a body that is not empty', async () => {
  const { status, body } = await parts.admin.client.change('POST', pathOf(), { reason: 'no' });
  expect([status, firstIssue(body)]).toEqual([400, 'body.reason']);
});
