import { commitmentToAll } from '../../../../application/approvals/decision-digests';
import { approvalStore } from '../../../../entities/approvals/approval.store';
import { UserActionEntity } from '../../../../entities/user-actions/user-action.entity';
import { newId } from '../../../../platform/ids';
import { errorId, firstIssue, type PolicyApi, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

const PATH = '/v2/policy-approvals/decisions';
const decide = (decisions: unknown, by = parts.approver) => by.client.change('POST', PATH, { decisions });
const reader = () => parts.api.database.db.read(parts.orgId);
const voteOn = async (approvalId: string) => (await approvalStore.votes(reader(), [approvalId]))[0];
const held = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await parts.hold());
  return ids;
};

test('200: several decisions are accepted with one signature, and the answer keeps their order', async () => {
  const [first = '', second = '', third = ''] = await held(3);
  const { status, body } = await decide([
    { approvalId: third, value: 'Denied', reason: 'a wrong address' },
    { approvalId: first, value: 'Approved' },
    { approvalId: second, value: 'Approved' },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    items: [
      { approvalId: third, approval: { id: third, status: 'Denied', decisions: [{ reason: 'a wrong address' }] } },
      { approvalId: first, approval: { status: 'Approved' } },
      { approvalId: second, approval: { status: 'Approved' } },
    ],
  });
});

test('200: the answer has an error for each decision that is not accepted, and the other decisions are accepted', async () => {
  const [closed = '', open = ''] = await held(2);
  const theirs = await parts.hold(parts.approver);
  await decide([{ approvalId: closed, value: 'Approved' }]);
  const unknown = newId('approval');
  const asked = [closed, open, unknown, theirs, 'no id'].map((approvalId) => ({ approvalId, value: 'Approved' }));
  const { status, body } = await decide(asked);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    items: [
      { approvalId: closed, error: { id: 'ApprovalClosed', status: 409 } },
      { approvalId: open, approval: { status: 'Approved' } },
      { approvalId: unknown, error: { id: 'NotFound', status: 404 } },
      { approvalId: theirs, error: { id: 'Forbidden', status: 403 } },
      { approvalId: 'no id', error: { id: 'NotFound', status: 404 } },
    ],
  });
  expect(await voteOn(theirs)).toBeUndefined();
});

test('200: an approval of another organisation is not found', async () => {
  const stranger = await parts.stranger();
  const [approvalId = ''] = await held(1);
  const { status, body } = await decide([{ approvalId, value: 'Denied' }], stranger);
  expect([status, body]).toMatchObject([200, { items: [{ approvalId, error: { id: 'NotFound', status: 404 } }] }]);
  expect(await voteOn(approvalId)).toBeUndefined();
});

test('200: the signature covers the digest of each approval, and the digests are stored (S2)', async () => {
  const ids = await held(2);
  const gone = newId('approval');
  const asked = [...ids, gone];
  await decide(asked.map((approvalId) => ({ approvalId, value: 'Approved' })));
  const vote = await voteOn(ids[0] ?? '');
  const action = await reader().row(UserActionEntity, 'WHERE t.id = $1', [vote?.userActionId ?? '']);
  expect(action?.approvalDigest).toBe((await commitmentToAll(reader(), asked)).digest);
  const digests = await approvalStore.digests(reader(), ids);
  const kept = [...digests.map(({ id, digest }) => ({ approvalId: id, digest })), { approvalId: gone, digest: null }];
  expect(action?.decided).toEqual(kept.sort((one, other) => (one.approvalId < other.approvalId ? -1 : 1)));
});

test('200: two people who decide the same approvals at once, in a different order, do not block each other', async () => {
  // The new person votes only on approvals that are requested from now on.
  const another = await parts.api.createPerson(parts.orgId);
  const fresh = await held(20);
  const asked = fresh.map((approvalId) => ({ approvalId, value: 'Approved' }));
  const answers = await Promise.all([decide(asked), decide([...asked].reverse(), another)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const statuses = await Promise.all(fresh.map(async (id) => (await approvalStore.find(reader(), id))?.status));
  expect(new Set(statuses)).toEqual(new Set(['Approved']));
});

test.each<[string, unknown, string]>([
  ['no decisions', [], 'body.decisions'],
  [
    'a hundred and one decisions',
    Array.from({ length: 101 }, (_, at) => ({ approvalId: `ap-${at}`, value: 'Denied' })),
    'body.decisions',
  ],
  ['one approval twice', ['Approved', 'Denied'].map((value) => ({ approvalId: 'ap-1', value })), 'body.decisions'],
  ['no decision value', [{ approvalId: 'ap-1' }], 'body.decisions.0.value'],
  ['an unknown decision value', [{ approvalId: 'ap-1', value: 'Maybe' }], 'body.decisions.0.value'],
  ['no approval', [{ value: 'Denied' }], 'body.decisions.0.approvalId'],
  ['an unknown member', [{ approvalId: 'ap-1', value: 'Denied', userId: 'us-1' }], 'body.decisions.0.userId'],
])('400: for %s, the error contains the path', async (_title, decisions, path) => {
  const { status, body } = await decide(decisions);
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
});

test('403: without the permission, for an end user, and without a user action for the present state of these approvals', async () => {
  const { createPerson } = parts.api;
  const [approvalId = '', other = ''] = await held(2);
  const asked = [{ approvalId, value: 'Denied' }];
  expect((await decide(asked, await createPerson(parts.orgId, { operations: ['Policies:Read'] }))).status).toBe(403);
  expect((await decide(asked, await createPerson(parts.orgId, { kind: 'EndUser' }))).status).toBe(403);
  const text = JSON.stringify({ decisions: [approvalId, other].map((id) => ({ approvalId: id, value: 'Approved' })) });
  const headers = { 'x-svc-useraction': await parts.approver.client.userAction('POST', PATH, text) };
  await parts.api.database.db.withOrg(parts.orgId, (tx) =>
    tx.query(`UPDATE approvals SET digest = 'forged' WHERE id = $1`, [other]),
  );
  const answer = await parts.approver.client.send({ method: 'POST', path: PATH, text, headers });
  expect([answer.status, errorId(answer.body)]).toEqual([403, 'UserActionInvalid']);
  expect(await voteOn(approvalId)).toBeUndefined();
});
