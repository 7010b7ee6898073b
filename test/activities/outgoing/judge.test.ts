import { createJudgementActivities } from '../../../activities/outgoing/judge';
import type { Rule } from '../../../domain/policies';
import { TRANSFER_STATES } from '../../../domain/transfers';
import { approvalStore } from '../../../entities/approvals/approval.store';
import { VerdictEntity } from '../../../entities/policies/verdict.entity';
import type { Price } from '../../../vendors/prices/port';
import { createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { askFor, BLOCK } from '../../support/policies';
import { createTransferSteps, ETHER, type TransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

const ASK = askFor([{ quorum: 1, approvers: {} }]);
const limit = (usd: number): Rule => ({ kind: 'TransactionAmountLimit', configuration: { limit: usd, currency: 'USD' } });

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const requested = (set = {}) => steps.transfer({ state: 'Requested', policyEpoch: null, ...set });
const policy = (content: Parameters<typeof insertPolicy>[2]) => insertPolicy(database.db, steps.orgId, content);
const judgement = (price: Price | undefined) =>
  createJudgementActivities({ ...APPROVING, causes: ANY_CAUSE, db: database.db, prices: { priceOf: async () => price } });
const judgedAt = async (price: Price | undefined, set = {}) => {
  const transferId = await requested(set);
  return (await judgement(price).evaluateTransfer({ orgId: steps.orgId, transferId })).outcome;
};

test('a transfer that no policy stops is cleared, with the policy epoch of the judgement', async () => {
  const id = await requested();
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  expect(await steps.row(id)).toMatchObject({
    state: 'Approved',
    version: 2,
    policyEpoch: 1,
    datePolicyResolved: expect.any(Date),
  });
  expect(await steps.events(id)).toEqual([]);
});

test('a transfer that is judged again before its preparation keeps its state and first date, with a new epoch', async () => {
  const id = await requested();
  await steps.evaluate(id);
  const first = await steps.row(id);
  await policy({ rule: limit(1_000_000), action: BLOCK });
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  const second = await steps.row(id);
  expect(second).toMatchObject({ state: 'Approved', version: 2, policyEpoch: 2, datePolicyResolved: first.datePolicyResolved });
  expect(second.verdictId).not.toBe(first.verdictId);
});

test('a Block rejects a transfer once, with the reason, and a second run returns the same result', async () => {
  const policyId = await policy({ action: BLOCK, name: 'No way' });
  const id = await requested();
  for (let i = 0; i < 2; i += 1) expect(await steps.evaluate(id)).toEqual({ outcome: 'Ended', state: 'Rejected' });
  expect(await steps.row(id)).toMatchObject({ state: 'Rejected', version: 2, reason: `Blocked by policy No way (${policyId})` });
  expect(await steps.events(id)).toEqual(['policy.triggered 1', 'wallet.transfer.rejected 2', 'policy.activity.resolved 2']);
});

test('two judgements at once hold a transfer once', async () => {
  await policy({ action: ASK });
  const id = await requested();
  const judged = await Promise.all([steps.evaluate(id), steps.evaluate(id)]);
  expect(judged.map(({ outcome }) => outcome)).toEqual(['Held', 'Held']);
  const { approvalId } = await steps.row(id);
  expect(judged).toEqual(Array(2).fill(expect.objectContaining({ approvalId })));
  expect(await database.db.read(steps.orgId).rows(VerdictEntity, '')).toHaveLength(1);
});

test('a transfer worth exactly the limit passes, and one unit more is held', async () => {
  await policy({ rule: limit(3_000), action: ASK });
  const ofUnits = async (units: bigint) => (await steps.evaluate(await requested({ amountUnits: units.toString() }))).outcome;
  expect([await ofUnits(ETHER), await ofUnits(ETHER + 1n)]).toEqual(['Cleared', 'Held']);
});

test('an amount of unknown value exceeds every limit', async () => {
  await policy({ rule: limit(1_000_000), action: ASK });
  expect(await judgedAt({ usdMicro: 1n })).toBe('Cleared');
  expect(await judgedAt(undefined)).toBe('Held');
  expect(await judgedAt({ usdMicro: 1n }, { assetDecimals: null })).toBe('Held');
});

test('a price whose decimals differ from those of the token is treated as unknown', async () => {
  await policy({ rule: limit(1_000_000), action: ASK });
  expect(await judgedAt({ usdMicro: 1n, decimals: 18 })).toBe('Cleared');
  expect(await judgedAt({ usdMicro: 1n, decimals: 6 })).toBe('Held');
});

test.each(['Signing', 'Signed', 'Broadcasted', 'Confirmed'] as const)('no transfer in %s is judged again', async (state) => {
  await policy({ action: BLOCK });
  const id = await steps.transfer({ state });
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  expect(await steps.row(id)).toMatchObject({ state, version: 1 });
});

test.each(['Requested', 'AwaitingApproval', 'Approved'] as const)(
  'a transfer in %s can be failed, and one event reports the failure',
  async (state) => {
    const id = await steps.transfer({ state });
    expect([await steps.fail(id), await steps.fail(id)]).toEqual(['Failed', 'Failed']);
    expect(await steps.row(id)).toMatchObject({
      state: 'Failed',
      version: 2,
      reason: expect.stringContaining('nothing was signed'),
    });
    expect(await steps.events(id)).toEqual(['wallet.transfer.failed 2']);
  },
);

test('a transfer that fails while waiting for a place in the lane (the queue of its sender) wakes the next transfer', async () => {
  const id = await steps.transfer({ waitingSince: new Date('2029-01-01T00:00:00Z') });
  const waiting = await steps.transfer({ waitingSince: new Date('2030-01-01T00:00:00Z') });
  await steps.fail(id);
  expect(await steps.signals(waiting)).toEqual(['laneChanged']);
});

test.each(['Signing', 'Signed', 'Broadcasted', 'Confirmed'] as const)(
  'only the chain can fail a transfer that is in %s',
  async (state) => {
    const id = await steps.transfer({ state });
    await expect(steps.fail(id)).rejects.toMatchObject({ code: 'Internal' });
    expect(await steps.row(id)).toMatchObject({ state, version: 1 });
  },
);

test('failing a rejected transfer returns that it was rejected', async () => {
  expect(await steps.fail(await steps.transfer({ state: 'Rejected' }))).toBe('Rejected');
});

test.each([
  ['Approved', { outcome: 'Cleared' }, 'Approved'],
  ['Denied', { outcome: 'Ended', state: 'Rejected' }, 'Rejected'],
  ['Expired', { outcome: 'Ended', state: 'Rejected' }, 'Rejected'],
] as const)(
  'an approval that became %s while no workflow ran takes effect at the next judgement',
  async (status, answer, state) => {
    const approver = await createActor(database.db, steps.orgId);
    await policy({ action: ASK });
    const id = await requested();
    const held = await steps.evaluate(id);
    const approvalId = held.outcome === 'Held' ? held.approvalId : '';
    if (status === 'Approved') await vote(database.db, approver, approvalId, status);
    await database.db.withOrg(steps.orgId, (tx) => approvalStore.advance(tx, approvalId, status));
    expect(await steps.evaluate(id)).toEqual(answer);
    expect(await steps.row(id)).toMatchObject({ state });
  },
);

test('the settled state of a transfer is returned only after the chain has decided', async () => {
  const { readSettled } = judgement(undefined);
  const ends = await Promise.all(
    TRANSFER_STATES.map(async (state) => readSettled({ orgId: steps.orgId, transferId: await steps.transfer({ state }) })),
  );
  expect(TRANSFER_STATES.filter((_state, index) => ends[index] !== undefined)).toEqual(['Confirmed', 'Failed']);
});
