import { newId } from '../../../../platform/ids';
import { snapshotOf } from '../../../matrix/snapshot';
import { type BacktestApi, startBacktestApi } from '../../../support/backtest-api';
import { insertPolicy, insertWallet } from '../../../support/held-activity';
import { askFor, BLOCK, RECIPIENT } from '../../../support/policies';
import { firstIssue } from '../../../support/policy-api';

let parts: BacktestApi;
beforeAll(async () => {
  parts = await startBacktestApi({ own: 'it compares every table before and after' });
});
afterAll(() => parts?.close());

const evaluate = (set: Record<string, unknown> = {}, by = parts.admin) =>
  by.client.post('/v2/policies/evaluate', {
    activityKind: 'Wallets:Sign',
    walletId: parts.walletId,
    to: RECIPIENT,
    valueUsd: '1',
    ...set,
  });
const only = async () => {
  const walletId = await insertWallet(parts.db, parts.orgId);
  return { walletId, filters: { walletId: { in: [walletId] } } };
};

test('200: the answer has the outcome of every policy and the people who could decide, and nothing is written', async () => {
  const { walletId, filters } = await only();
  const action = askFor([{ name: 'Finance', quorum: 1, approvers: {} }], 60);
  const policyId = await insertPolicy(parts.db, parts.orgId, { action, filters, name: 'Ask' });
  const before = await snapshotOf(parts.api.database.name);
  const { status, body } = await evaluate({ walletId });
  expect([status, body]).toEqual([
    200,
    {
      outcome: 'Held',
      evaluations: [{ policyId, policyName: 'Ask', triggered: true, reason: expect.any(String) }],
      shadows: [],
      blockedBy: [],
      groups: [
        {
          policyId,
          name: 'Finance',
          quorum: 1,
          canApprove: [{ userId: parts.approver.userId, name: expect.any(String) }],
          canOnlyDeny: [{ userId: parts.admin.userId, name: expect.any(String) }],
        },
      ],
      autoRejectTimeoutMinutes: 60,
      wouldAsk: [],
    },
  ]);
  expect(await snapshotOf(parts.api.database.name)).toEqual(before);
});

test('200: limits are compared to the millionth of a dollar, and a missing value is treated as unknown', async () => {
  const { walletId, filters } = await only();
  const rule = { kind: 'TransactionAmountLimit', configuration: { limit: 10, currency: 'USD' } } as const;
  await insertPolicy(parts.db, parts.orgId, { rule, action: BLOCK, filters });
  const outcome = async (valueUsd: string | undefined) =>
    ((await evaluate({ walletId, valueUsd })).body as { outcome: string }).outcome;
  expect([await outcome('10'), await outcome('10.000001'), await outcome(undefined)]).toEqual(['Cleared', 'Blocked', 'Blocked']);
});

test('200: time windows include the earlier activities and the given one, and a repeated request gets the same answer', async () => {
  const { walletId, filters } = await only();
  await parts.transfers([5], walletId);
  const rule = { kind: 'TransactionCountVelocity', configuration: { limit: 1, timeframe: 60 } } as const;
  const policyId = await insertPolicy(parts.db, parts.orgId, { rule, action: BLOCK, filters });
  const first = await evaluate({ walletId });
  expect(first.body).toMatchObject({ outcome: 'Blocked', blockedBy: [policyId] });
  expect((await evaluate({ walletId })).body).toEqual(first.body);
});

test('200: no vendor is called; the answer has the outcomes for a vendor that does not answer and for one without findings', async () => {
  const { walletId, filters } = await only();
  const closed = {
    skipKytBFailure: false,
    skipUnscreenableTransaction: false,
    skipUnsupportedAsset: false,
    skipUnsupportedNetwork: false,
  };
  const configuration = { riskScoreThreshold: 50, fallbackBehaviours: closed };
  await insertPolicy(parts.db, parts.orgId, {
    rule: { kind: 'KytBTransactionPrescreening', configuration },
    action: BLOCK,
    filters,
  });
  expect((await evaluate({ walletId })).body).toMatchObject({
    outcome: 'Blocked',
    wouldAsk: ['KytB'],
    outcomeWhenVendorsFindNothing: 'Cleared',
  });
});

test('200: the activity is a change of a permission by another user', async () => {
  const policyId = await parts.hold('Permissions:Modify');
  const permissionId = await parts.permission();
  const body = { activityKind: 'Permissions:Modify', permissionId, initiatorId: parts.approver.userId };
  expect(await parts.admin.client.post('/v2/policies/evaluate', body)).toMatchObject({
    status: 200,
    body: { outcome: 'Held', groups: [{ canApprove: [{ userId: parts.admin.userId }] }] },
  });
  await parts.drop(policyId);
});

test.each<[string, Record<string, unknown>, string]>([
  ['an unknown wallet', { walletId: 'wa-1' }, 'body.walletId'],
  ['a recipient that is not an address', { to: 'nobody' }, 'body.to'],
  ['a value with seven decimals', { valueUsd: '1.0000001' }, 'body.valueUsd'],
  ['a negative value', { valueUsd: '-1' }, 'body.valueUsd'],
  ['an unknown user', { initiatorId: newId('user') }, 'body.initiatorId'],
  ['an activity to which policies do not apply', { activityKind: 'Wallets:Read' }, 'body.activityKind'],
  ['a permission for an activity that does not change a permission', { permissionId: 'pm-1' }, 'body.permissionId'],
])('400: for %s, the error contains the path', async (_title, set, path) => {
  const { status, body } = await evaluate(set);
  expect([status, firstIssue(body)]).toEqual([400, path]);
});

test('403: without Policies:Evaluations:Read', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  expect((await evaluate({}, without)).status).toBe(403);
});
