import { feeSponsorStore } from '../../../../entities/fee-sponsors/fee-sponsor.store';
import { newId } from '../../../../platform/ids';
import { insertTransferOf } from '../../../support/explained';
import { RECIPIENT } from '../../../support/policies';
import { errorId, type PolicyApi, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

/** Inserts a held transfer, and returns the id of its approval. */
const hold = async (): Promise<string> => {
  const approvalId = await parts.hold();
  await insertTransferOf(parts.api.database.db, parts.orgId, approvalId);
  return approvalId;
};
const explain = async (approvalId: string) => {
  const { status, body } = await parts.approver.client.get(`/v2/policy-approvals/${approvalId}/explain`);
  expect(status).toBe(200);
  return body as Record<string, never> & { readonly sentences: string[] };
};

test('200: the explanation contains the waiting time, the people who can act, the policies and the result of each decision', async () => {
  const approvalId = await hold();
  const { admin, approver } = parts;
  const ana = { userId: admin.userId, name: 'admin' };
  const ben = { userId: approver.userId, name: 'approver' };
  expect(await explain(approvalId)).toMatchObject({
    subject: { kind: 'Transfer', id: expect.stringMatching(/^xfr-/) },
    stage: 'Approval',
    since: expect.stringMatching(/Z$/),
    until: { date: expect.stringMatching(/Z$/), outcome: 'the transfer is rejected automatically' },
    initiator: ana,
    summary: 'The transfer waits for people: 1 of 1 in the group Anyone from approver.',
    approval: {
      approvalId,
      status: 'Pending',
      isReachable: true,
      unreachableSince: null,
      groups: [
        {
          name: 'Anyone',
          quorum: 1,
          have: 0,
          most: 1,
          people: expect.arrayContaining([
            { ...ben, standing: 'MayDecide' },
            { ...ana, standing: 'MayOnlyDeny' },
          ]),
        },
      ],
    },
    freeze: null,
    screenings: [],
    travelRule: null,
    hindrance: null,
    facts: { amountUsd: '1.00', outcome: 'Held', network: 'EthereumSepolia', recipients: [expect.stringMatching(/^0x/)] },
    policies: [{ name: 'Some policy', rule: 'AlwaysTrigger', action: 'RequestApproval', triggered: true, mode: 'Enforce' }],
    next: [
      {
        decision: 'Approve',
        outcome: 'Released',
        by: [ben],
        sentence:
          'If approver approves, every group has its quorum: the transfer is judged again and proceeds unless the new verdict is stricter.',
      },
      { decision: 'Deny', outcome: 'Rejected', by: expect.arrayContaining([ana, ben]) },
      { decision: 'Nothing', outcome: 'Rejected', by: [] },
    ],
  });
});

test('200: an approver who may not read sponsors still sees the fee sponsor', async () => {
  const { api, orgId, walletId } = parts;
  const { db } = api.database;
  const [approvalId, feeSponsorId] = [await parts.hold(), newId('feeSponsor')];
  await db.withOrg(orgId, (tx) =>
    feeSponsorStore.add(tx, {
      ...{ id: feeSponsorId, name: 'Treasury', network: 'EthereumSepolia', allowEndUser: false },
      ...{ walletId, userActionId: newId('userAction') },
    }),
  );
  await insertTransferOf(db, orgId, approvalId, { feeSponsorId, sponsorAddress: RECIPIENT });
  const { client } = await api.createPerson(orgId, { operations: ['Policies:Approvals:Read'] });
  expect((await client.get(`/fee-sponsors/${feeSponsorId}`)).status).toBe(403);
  expect((await client.get(`/v2/policy-approvals/${approvalId}/explain`)).body).toMatchObject({
    fee: { ceilingUnits: '1', decimals: 18, symbols: ['ETH'], sponsor: { feeSponsorId, name: 'Treasury', address: RECIPIENT } },
    sentences: expect.arrayContaining([expect.stringContaining(`the fee sponsor Treasury (${feeSponsorId})`)]),
  });
});

test('200: the explanation shows a vote, and a decided approval no longer waits', async () => {
  const approvalId = await hold();
  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  expect((await parts.approver.client.change('POST', path, { value: 'Approved' })).status).toBe(200);
  const told = await explain(approvalId);
  expect(told).toMatchObject({
    stage: 'Applying',
    summary: 'The transfer was approved by approver. It proceeds next, unless the policies in force stop it.',
    approval: {
      status: 'Approved',
      groups: [{ have: 1, people: expect.arrayContaining([expect.objectContaining({ standing: 'HasVoted' })]) }],
    },
    next: [],
  });
});

test('200: after a denial, the explanation states who denied and why, and does not state that the transfer proceeds', async () => {
  const approvalId = await hold();
  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  const denial = { value: 'Denied', reason: 'not our vendor' };
  expect((await parts.approver.client.change('POST', path, denial)).status).toBe(200);
  const told = await explain(approvalId);
  expect(told).toMatchObject({
    stage: 'Applying',
    summary: 'The transfer was denied by approver. It is rejected next.',
    sentences: expect.arrayContaining([expect.stringMatching(/^approver denied it at \S+ \S+ UTC: not our vendor\.$/)]),
    next: [],
  });
  await parts.api.database.db.withOrg(parts.orgId, (tx) =>
    tx.query("UPDATE transfers SET state = 'Rejected', reason = 'Denied by an approver' WHERE org_id = $1 AND approval_id = $2", [
      parts.orgId,
      approvalId,
    ]),
  );
  expect(await explain(approvalId)).toMatchObject({
    stage: 'Ended',
    summary: 'The transfer was rejected because it was denied by approver.',
    sentences: expect.arrayContaining([expect.stringMatching(/^approver denied it at .+: not our vendor\.$/)]),
  });
});

test('200: the explanation states which approver is deactivated, and that the group can no longer reach its quorum', async () => {
  const approvalId = await hold();
  const { orgId, approver } = parts;
  const stand = (isActive: boolean) =>
    parts.api.database.db.withOrg(orgId, (tx) =>
      tx.query('UPDATE users SET is_active = $3 WHERE org_id = $1 AND id = $2', [orgId, approver.userId, isActive]),
    );
  await stand(false);
  const { body } = await parts.admin.client.get(`/v2/policy-approvals/${approvalId}/explain`);
  await stand(true);
  expect(body).toMatchObject({
    approval: { isReachable: false, groups: [{ most: 0, quorum: 1 }] },
    sentences: expect.arrayContaining([
      'approver is deactivated.',
      'The group Anyone can reach 0 of 1 at most and can no longer be completed.',
    ]),
  });
});

test('403: without Policies:Approvals:Read', async () => {
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await other.client.get(`/v2/policy-approvals/${await parts.hold()}/explain`)).status).toBe(403);
});

test('404: an approval that is unknown or belongs to another organisation, and a text that is not an id', async () => {
  const stranger = await parts.stranger();
  for (const { status, body } of [
    await parts.admin.client.get(`/v2/policy-approvals/${newId('approval')}/explain`),
    await stranger.client.get(`/v2/policy-approvals/${await hold()}/explain`),
    await parts.admin.client.get('/v2/policy-approvals/nothing/explain'),
  ]) {
    expect(status).toBe(404);
    expect(errorId(body)).toBe('NotFound');
  }
});
