import { Approval } from '../../../api/policies/approvals/schemas';
import { approvalView } from '../../../application/approvals/view';
import { judgeIncoming, recordIncoming } from '../../../application/incoming-transactions/incoming';
import type { WalletSign } from '../../../application/policies/evaluate-activity';
import type { IncomingTransfer } from '../../../domain/incoming';
import { SCREENING_AGE_MAX_MS, type Screening } from '../../../domain/screenings';
import { ApprovalEntity } from '../../../entities/approvals/approval.entity';
import { EventEntity } from '../../../entities/events/event.entity';
import { IncomingTransactionEntity } from '../../../entities/incoming-transactions/incoming-transaction.entity';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { policyStore } from '../../../entities/policies/policy.store';
import { ScreeningEntity } from '../../../entities/screenings/screening.entity';
import { screeningStore } from '../../../entities/screenings/screening.store';
import { newId } from '../../../platform/ids';
import type { TestDatabase } from '../../support/database';
import { insertPolicy, insertWallet, judgeTransfer } from '../../support/held-activity';
import { eachInItsOrganization } from '../../support/own-organization';
import { askFor, RECIPIENT } from '../../support/policies';
import { inTier } from '../../support/tiers';

const ALERTS = {
  alerts: { alertLevel: 'HIGH', categoryIds: [] },
  exposures: { direct: { categoryIds: [99] } },
  fallbackBehaviours: {
    skipUnscreenableTransaction: false,
    skipUnsupportedNetwork: false,
    skipUnsupportedAsset: false,
    skipKytAFailure: false,
  },
} as const;
const PRESCREENING = {
  kind: 'KytATransactionPrescreening',
  configuration: { ...ALERTS, addresses: { categoryIds: [99] }, userIdTemplate: 'customer {{walletTags}} {{initiatorId}}' },
} as const;
const CLEAN: Screening['result'] = { kind: 'Screened', alerts: [], directExposures: [], addresses: [] };
const SEVERE: Screening['result'] = { ...CLEAN, alerts: [{ level: 'SEVERE', categoryId: 7 }] };

let database: TestDatabase;
let orgId: string;
let walletId: string;
eachInItsOrganization(async (...own) => {
  [database, orgId] = own;
  walletId = await insertWallet(database.db, orgId, ['retail']);
});

const movement = { network: 'EthereumSepolia', contract: null, recipients: [RECIPIENT], amountUnits: 5n };
const judge = (activityId: string, set: Partial<WalletSign> = {}) =>
  judgeTransfer(database.db, orgId, { walletId, initiatorId: 'us-1', activityId, movement, ...set });
const questions = () => database.db.read(orgId).rows(ScreeningEntity, 'ORDER BY t.attempt');
const answer = (id: string, result: Screening['result']) =>
  database.db.withOrg(orgId, (tx) => screeningStore.answer(tx, id, result));
const onlyAsk = async () => (await questions()).at(-1)?.id ?? '';
const grow = (id: string, ms: number) =>
  database.db.withOrg(orgId, (tx) => tx.update(ScreeningEntity, { id }, { dateAnswered: new Date(Date.now() - ms) }));
const triggered = () => database.db.read(orgId).rows(EventEntity, `WHERE t.kind = 'policy.triggered'`);

test('the vendor is asked once before anything is decided, and only about the movement', async () => {
  await insertPolicy(database.db, orgId, { rule: PRESCREENING, action: { kind: 'Block' } });
  const activityId = newId('transfer');
  const first = await judge(activityId);
  const [asked] = await questions();
  expect(first).toMatchObject({ outcome: 'Asking', asks: [{ vendor: 'KytA', screeningId: asked?.id }] });
  expect(await judge(activityId)).toEqual(first);
  expect(await questions()).toHaveLength(1);
  expect(asked?.question).toEqual({
    direction: 'Sent',
    network: 'EthereumSepolia',
    contract: null,
    amountUnits: '5',
    from: expect.stringMatching(/^0x/),
    to: [RECIPIENT],
    userId: 'customer retail us-1',
  });
  expect(await triggered()).toEqual([]);
});

test('a finding of the vendor blocks the activity, and the event of the policy contains the finding', async () => {
  await insertPolicy(database.db, orgId, { rule: PRESCREENING, action: { kind: 'Block' } });
  const activityId = newId('transfer');
  await judge(activityId);
  await answer(await onlyAsk(), SEVERE);
  expect(await judge(activityId)).toMatchObject({ outcome: 'Blocked' });
  const [event] = await triggered();
  expect(event?.data).toMatchObject({ policyEvaluation: { context: { screening: { vendor: 'KytA', result: SEVERE } } } });
});

test('an approval shows a finding only with the evaluation of the policy that asked for the finding', async () => {
  const action = askFor([{ name: 'Officers', quorum: 1, approvers: {} }]);
  const screened = await insertPolicy(database.db, orgId, { rule: PRESCREENING, action });
  const plain = await insertPolicy(database.db, orgId, { rule: { kind: 'AlwaysTrigger' }, action });
  const activityId = newId('transfer');
  await judge(activityId);
  await answer(await onlyAsk(), SEVERE);
  expect(await judge(activityId)).toMatchObject({ outcome: 'Held' });
  const [approval] = await database.db.read(orgId).rows(ApprovalEntity, '');
  const { policyEvaluations } = approvalView(approval ?? fail(), []);
  const contexts = Object.fromEntries(
    policyEvaluations.map((one) => [one.policyId, Approval.shape.policyEvaluations.parse([one])[0]?.context]),
  );
  expect(contexts).toEqual({ [screened]: { screening: { vendor: 'KytA', result: SEVERE } }, [plain]: undefined });
});

test.each([
  ['nothing is found', CLEAN, 'Cleared'],
  ['the vendor failed', { kind: 'VendorFailed', failure: 'TimedOut' }, 'Blocked'],
  ['the network is not screened', { kind: 'UnsupportedNetwork' }, 'Blocked'],
] as const)('if %s, the policy decides the outcome', async (_what, result, outcome) => {
  await insertPolicy(database.db, orgId, { rule: PRESCREENING, action: { kind: 'Block' } });
  const activityId = newId('transfer');
  await judge(activityId);
  await answer(await onlyAsk(), result);
  expect(await judge(activityId)).toMatchObject({ outcome });
});

test('the vendor is not asked about an unknown movement, because it cannot be screened', async () => {
  await insertPolicy(database.db, orgId, { rule: PRESCREENING, action: { kind: 'Block' } });
  expect(await judge(newId('transfer'), { movement: null })).toMatchObject({ outcome: 'Blocked' });
  expect(await questions()).toEqual([]);
});

test('the vendor is asked again when its answer is a day old or belongs to a different movement', async () => {
  await insertPolicy(database.db, orgId, { rule: PRESCREENING, action: { kind: 'Block' } });
  const activityId = newId('transfer');
  await judge(activityId);
  const id = await onlyAsk();
  await answer(id, CLEAN);
  await grow(id, SCREENING_AGE_MAX_MS - 60_000);
  expect(await judge(activityId)).toMatchObject({ outcome: 'Cleared' });
  await grow(id, SCREENING_AGE_MAX_MS);
  expect(await judge(activityId)).toMatchObject({ outcome: 'Asking' });
  const again = await onlyAsk();
  await answer(again, CLEAN);
  expect(await judge(activityId)).toMatchObject({ outcome: 'Cleared' });
  expect(await judge(activityId, { movement: { ...movement, amountUnits: 6n } })).toMatchObject({ outcome: 'Asking' });
  expect((await questions()).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

test('a wallet that is an end user’s own is not screened', async () => {
  await insertPolicy(database.db, orgId, { rule: PRESCREENING, action: { kind: 'Block' } });
  const own = await insertWallet(database.db, orgId, [], 'us-end');
  expect(await judge(newId('transfer'), { walletId: own, initiatorId: 'us-end' })).toMatchObject({ outcome: 'Cleared' });
  expect(await questions()).toEqual([]);
});

const incoming = (set: Partial<IncomingTransfer> = {}): IncomingTransfer => ({
  kind: 'NativeTransfer',
  walletId,
  network: 'EthereumSepolia',
  txHash: `0x${'ab'.repeat(32)}`,
  indexInTx: 'value',
  logIndex: null,
  blockNumber: 12,
  fromAddresses: null,
  fromAddress: '0x3333333333333333333333333333333333333333',
  toAddress: RECIPIENT,
  contract: null,
  amountUnits: '900',
  decimals: 18,
  symbol: 'ETH',
  dateDetected: '2026-01-01T00:00:00.000Z',
  ...set,
});
const record = (set?: Partial<IncomingTransfer>) => database.db.withOrg(orgId, (tx) => recordIncoming(tx, incoming(set)));
const judgeIn = (id: string) => database.db.withOrg(orgId, (tx) => judgeIncoming(tx, id));
const watchIncoming = () =>
  database.db.withOrg(orgId, (tx) =>
    policyStore.create(tx, {
      name: 'Watch what comes in',
      activityKind: 'Wallets:IncomingTransaction',
      rule: { kind: 'KytATransactionScreening', configuration: ALERTS },
      action: { kind: 'NoAction' },
      filters: null,
    }),
  );

test('an incoming payment is recorded only on networks whose tier reports all incoming payments', async () => {
  const count = () => database.db.read(orgId).rows(IncomingTransactionEntity, '');
  for (const tier of [2, 3] as const)
    await expect(inTier('EthereumSepolia', tier, () => record())).rejects.toMatchObject({ code: 'NotFound', details: { tier } });
  await expect(record({ network: 'Algorand' })).rejects.toMatchObject({ code: 'NetworkNotEnabled' });
  expect(await count()).toEqual([]);
  await record();
  expect(await count()).toHaveLength(1);
});

test('an incoming payment is recorded once, however often it is reported, and starts one workflow', async () => {
  const start = await record();
  expect([await record(), (await record({ indexInTx: 'log:1', logIndex: '1' }))?.aggregateId]).toEqual([
    undefined,
    expect.stringMatching(/^itx-/),
  ]);
  const rows = await database.db.read(orgId).rows(IncomingTransactionEntity, 'ORDER BY t.index_in_tx');
  expect(rows.map(({ id }) => id)).toContain(start?.aggregateId);
  expect(rows).toHaveLength(2);
  expect(await database.db.read(orgId).rows(OutboxRowEntity, `WHERE t.kind = 'start'`)).toHaveLength(2);
  await expect(record({ walletId: newId('wallet') })).rejects.toMatchObject({ code: 'NotFound' });
});

test('an incoming payment is screened as Received, and emits one event', async () => {
  await watchIncoming();
  const id = (await record())?.aggregateId ?? '';
  expect(await judgeIn(id)).toMatchObject({ outcome: 'Asking', asks: [{ vendor: 'KytA' }] });
  const [asked] = await questions();
  expect(asked?.question).toEqual({
    direction: 'Received',
    network: 'EthereumSepolia',
    contract: null,
    amountUnits: '900',
    from: '0x3333333333333333333333333333333333333333',
    to: [RECIPIENT],
    userId: walletId,
    txHash: `0x${'ab'.repeat(32)}`,
  });
  await answer(asked?.id ?? '', SEVERE);
  expect([await judgeIn(id), await judgeIn(id)]).toEqual([{ outcome: 'Judged' }, { outcome: 'Judged' }]);
  const events = await triggered();
  expect(events).toHaveLength(1);
  expect(events[0]?.data).toMatchObject({
    policyEvaluation: {
      activity: {
        kind: 'Wallets:IncomingTransaction',
        blockchainEvent: { kind: 'NativeTransfer', direction: 'In', value: '900' },
      },
      context: { screening: { result: SEVERE } },
    },
  });
});

test.each(['SplTransfer', 'Spl2022Transfer'] as const)(
  'the record of an incoming %s contains the mint of its token',
  async (kind) => {
    await watchIncoming();
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const id = (await record({ kind, contract: mint, symbol: null, decimals: 6, fromAddress: null }))?.aggregateId ?? '';
    await judgeIn(id);
    const [asked] = await questions();
    expect(asked?.question).toMatchObject({ contract: mint, from: null });
    await answer(asked?.id ?? '', SEVERE);
    await judgeIn(id);
    const event = { kind, mint, direction: 'In', to: RECIPIENT, value: '900', metadata: { asset: { decimals: 6 } } };
    expect((await triggered())[0]?.data).toMatchObject({ policyEvaluation: { activity: { blockchainEvent: event } } });
  },
);

test('an incoming payment to an end user’s own wallet is not screened and emits no event', async () => {
  await watchIncoming();
  const own = await insertWallet(database.db, orgId, [], 'us-end');
  const id = (await record({ walletId: own }))?.aggregateId ?? '';
  expect(await judgeIn(id)).toEqual({ outcome: 'Judged' });
  expect([await questions(), await triggered()]).toEqual([[], []]);
});
