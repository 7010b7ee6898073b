import { changeSettings } from '../../../../application/organizations/settings';
import type { ActivityKind } from '../../../../domain/policies';
import { approvalStore } from '../../../../entities/approvals/approval.store';
import { VERIFIER_ORIGIN } from '../../../../platform/seen-assertions';
import type { Person } from '../../../support/api';
import { seeCharter } from '../../../support/charter-rows';
import { insertPolicy } from '../../../support/held-activity';
import { errorId, type PolicyApi, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

const ORIGINS = ['https://approve.example'];
const SEEN = { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) };
const BLIND = { origin: 'https://approve.example' };

const demand = (operations: readonly string[]) =>
  seeCharter(parts.api.database.db, parts.orgId, 1, { seen: { operations, origins: ORIGINS } });
const votesOn = async (approvalId: string) =>
  (await approvalStore.votes(parts.api.database.db.read(parts.orgId), [approvalId])).map(({ value }) => value);
const decide = (approvalId: string, body: object, clientData: object, by: Person = parts.approver) =>
  by.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, body, { ...clientData });
const told = ({ status, body }: Awaited<ReturnType<typeof decide>>) =>
  status === 200 ? 'Counted' : `${status} ${errorId(body)}`;

const APPROVE = { value: 'Approved' };
const DENY = { value: 'Denied' };

test('403: the charter demands that voters see what they sign, and a blind vote is not stored; a seen vote is accepted', async () => {
  await demand(['createApprovalDecision']);
  const approvalId = await parts.hold();
  const refused = await decide(approvalId, APPROVE, BLIND);
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: { id: 'UserActionNotSeen', details: { origins: ORIGINS } } },
  ]);
  expect(told(await decide(approvalId, APPROVE, { ...SEEN, shownSha256: 'AB'.repeat(32) }))).toBe('403 UserActionNotSeen');
  expect(await votesOn(approvalId)).toEqual([]);
  expect(told(await decide(approvalId, APPROVE, SEEN))).toBe('Counted');
  expect(await votesOn(approvalId)).toEqual(['Approved']);
});

test('200: a blind denial ends the approval', async () => {
  await demand(['createApprovalDecision']);
  const approvalId = await parts.hold();
  expect(told(await decide(approvalId, DENY, BLIND))).toBe('Counted');
  expect(await votesOn(approvalId)).toEqual(['Denied']);
});

test('200: of several decisions with one blind signature, denials are accepted and approvals are not', async () => {
  await demand(['createApprovalDecision']);
  const [held, denied] = [await parts.hold(), await parts.hold()];
  const decisions = [
    { approvalId: held, ...APPROVE },
    { approvalId: denied, ...DENY },
  ];
  const path = '/v2/policy-approvals/decisions';
  const blind = await parts.approver.client.change('POST', path, { decisions }, BLIND);
  expect([blind.status, blind.body]).toMatchObject([
    200,
    {
      items: [
        { approvalId: held, error: { id: 'UserActionNotSeen', status: 403 } },
        { approvalId: denied, approval: { status: 'Denied' } },
      ],
    },
  ]);
  expect([await votesOn(held), await votesOn(denied)]).toEqual([[], ['Denied']]);
  const seen = await parts.approver.client.change('POST', path, { decisions: [{ approvalId: held, ...APPROVE }] }, SEEN);
  expect(seen.body).toMatchObject({ items: [{ approvalId: held, approval: { status: 'Approved' } }] });
});

test.each<[string, readonly string[]]>([
  ['demands seen signatures for other operations', ['transferAsset', 'createPolicy']],
  ['does not demand seen signatures for any operation', []],
])('200: under a charter that %s, people may vote blind', async (_title, operations) => {
  await demand(operations);
  expect(told(await decide(await parts.hold(), APPROVE, BLIND))).toBe('Counted');
});

test('200: without a charter, and under a charter without the member "seen", people may vote blind', async () => {
  const { db, arrange } = parts.api.database;
  await seeCharter(db, parts.orgId);
  expect(told(await decide(await parts.hold(), APPROVE, BLIND))).toBe('Counted');
  await arrange('DELETE FROM charters WHERE org_id = $1', [parts.orgId]);
  expect(told(await decide(await parts.hold(), APPROVE, BLIND))).toBe('Counted');
});

test.each<[ActivityKind, string]>([
  ['Policies:Modify', '403 UserActionNotSeen'],
  ['Permissions:Assign', 'Counted'],
])('a blind approval of %s has the result %s', async (activityKind, expected) => {
  await demand(['createApprovalDecision']);
  const approvalId = await parts.hold();
  await parts.api.database.arrange('UPDATE approvals SET activity_kind = $2 WHERE id = $1', [approvalId, activityKind]);
  expect(told(await decide(approvalId, APPROVE, BLIND))).toBe(expected);
});

// This test is last, because its policy applies to every later transfer.
test('200: a vote of a program is accepted, because no person has to see the request', async () => {
  await demand(['createApprovalDecision']);
  const { db } = parts.api.database;
  const program = await parts.api.createPerson(parts.orgId, { isServiceAccount: true });
  await db.withOrg(parts.orgId, (tx) => changeSettings(tx, { serviceAccountsMayVote: true }));
  const approvers = { userId: { in: [program.userId] } };
  const action = {
    kind: 'RequestApproval' as const,
    approvalGroups: [{ quorum: 1, approvers, serviceAccountsCanApprove: true }],
  };
  await insertPolicy(db, parts.orgId, { action });
  const approvalId = await parts.hold();
  expect(told(await decide(approvalId, APPROVE, BLIND, program))).toBe('Counted');
});
