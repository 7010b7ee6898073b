import { createJudgementActivities } from '../../../activities/outgoing/judge';
import { settle } from '../../../application/outgoing/end/settle';
import type { Rule } from '../../../domain/policies';
import { createAgreedPrices } from '../../../vendors/prices/agreed';
import type { Price } from '../../../vendors/prices/port';
import { createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { askFor, BLOCK } from '../../support/policies';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

const ONE_AN_HOUR: Rule = { kind: 'TransactionCountVelocity', configuration: { limit: 1, timeframe: 60 } };

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const policy = (content: Parameters<typeof insertPolicy>[2]) => insertPolicy(database.db, steps.orgId, content);
const requested = () => steps.transfer({ state: 'Requested', policyEpoch: null });
const judged = async (id: string) => (await steps.evaluate(id)).outcome;
const requestedAndJudged = async () => judged(await requested());

/** Moves all usage counted so far two hours into the past. */
const twoHoursPass = () =>
  database.db.withOrg(steps.orgId, async (tx) => {
    await tx.query(`UPDATE usage_reservations SET date_counted = date_counted - interval '2 hours' WHERE org_id = $1`, [
      steps.orgId,
    ]);
    await tx.query(`UPDATE usage_sums SET date_start = date_start - interval '2 hours' WHERE org_id = $1`, [steps.orgId]);
  });

test('approvals collected over time are not released all at once: velocity limits apply at release as well (S9)', async () => {
  const approver = await createActor(database.db, steps.orgId);
  await policy({ action: askFor([{ quorum: 1, approvers: {} }]) });
  const ids = [await requested(), await requested(), await requested()];
  for (const id of ids) {
    const held = await steps.evaluate(id);
    if (held.outcome !== 'Held') throw new Error('no policy holds the transfer');
    await vote(database.db, approver, held.approvalId, 'Approved');
    await steps.holds.readHold({ orgId: steps.orgId, transferId: id }, held.approvalId);
  }
  await policy({ rule: ONE_AN_HOUR, action: BLOCK });
  // A count at the moment of the request would let all three transfers pass now.
  await twoHoursPass();
  const outcomes: string[] = [];
  for (const id of ids) outcomes.push(await judged(id));
  expect(outcomes).toEqual(['Cleared', 'Ended', 'Ended']);
});

test('a new policy includes transfers that are older than the policy', async () => {
  expect(await requestedAndJudged()).toBe('Cleared');
  await policy({ rule: ONE_AN_HOUR, action: BLOCK });
  expect(await requestedAndJudged()).toBe('Ended');
  await twoHoursPass();
  expect(await requestedAndJudged()).toBe('Cleared');
});

test('a transfer that fails unsigned is no longer counted, and one that reverted on the chain is still counted (S9)', async () => {
  await policy({ rule: ONE_AN_HOUR, action: BLOCK });
  const failing = await requested();
  expect(await judged(failing)).toBe('Cleared');
  expect(await requestedAndJudged()).toBe('Ended');
  await steps.fail(failing);
  const reverting = await requested();
  expect(await judged(reverting)).toBe('Cleared');
  await steps.send(reverting);
  const { id, txHash, includedHeight, includedHash } = await steps.payload(reverting);
  const place = { state: 'Broadcasted' as const, includedHeight, includedHash };
  const payload = { orgId: steps.orgId, id, transferId: reverting, txHash: txHash ?? '', operationHash: null, ...place };
  const receipt = { height: 9, blockHash: '0x9', success: false, feeUnits: 1n };
  await settle(database.db, steps.orgId, 'EthereumSepolia', [{ payload, receipt }]);
  expect(await steps.row(reverting)).toMatchObject({ state: 'Failed' });
  expect(await requestedAndJudged()).toBe('Ended');
});

test('a falsely low price from one source, or a token with different decimals, does not bypass a limit (S13)', async () => {
  await policy({ rule: { kind: 'TransactionAmountLimit', configuration: { limit: 3_000, currency: 'USD' } }, action: BLOCK });
  const outcomeAt = async (...answers: readonly (Price | undefined)[]) => {
    const sources = answers.map((answer) => ({ priceOf: async () => answer }));
    const prices = createAgreedPrices({ sources, divergencePercentMax: 5, onDivergence: () => undefined });
    const transferId = await requested();
    return (
      await createJudgementActivities({ ...APPROVING, causes: ANY_CAUSE, db: database.db, prices }).evaluateTransfer({
        orgId: steps.orgId,
        transferId,
      })
    ).outcome;
  };
  const dollars = (usd: bigint, decimals = 18): Price => ({ usdMicro: usd * 1_000_000n, decimals });
  expect(await outcomeAt(dollars(3_000n), dollars(2_900n))).toBe('Cleared');
  expect(await outcomeAt(dollars(2_950n), dollars(3_001n))).toBe('Ended');
  expect(await outcomeAt(dollars(1n), dollars(3_000n))).toBe('Ended');
  expect(await outcomeAt(dollars(3_000n), undefined)).toBe('Ended');
  expect(await outcomeAt(dollars(3_000n, 6), dollars(3_000n, 6))).toBe('Ended');
});
