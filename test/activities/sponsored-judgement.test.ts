import type { Rule } from '../../domain/policies';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import { KeyEntity } from '../../entities/keys/key.entity';
import { VerdictEntity } from '../../entities/policies/verdict.entity';
import { UsageReservationEntity } from '../../entities/usage/usage-reservation.entity';
import { newId } from '../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { insertPolicy, insertWallet } from '../support/held-activity';
import { askFor, BLOCK, RECIPIENT } from '../support/policies';
import { createTransferSteps, ETHER, type TransferSteps } from '../support/transfer-steps';

const ANYONE = askFor([{ quorum: 1, approvers: {} }]);
const limit = (usd: number): Rule => ({ kind: 'TransactionAmountLimit', configuration: { limit: usd, currency: 'USD' } });

let database: TestDatabase;
let steps: TransferSteps;
let sponsorWalletId: string;
let feeSponsorId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  sponsorWalletId = await insertWallet(database.db, steps.orgId, ['sponsor']);
  feeSponsorId = newId('feeSponsor');
  const sponsor = { name: null, walletId: sponsorWalletId, allowEndUser: true, userActionId: '' };
  await database.db.withOrg(steps.orgId, (tx) =>
    feeSponsorStore.add(tx, { id: feeSponsorId, network: 'EthereumSepolia', ...sponsor }),
  );
});

/** A transfer of nothing but one unit, of which the sponsor pays at most so much for the fee; an ether is 3,000 dollars. */
const sponsored = (feeCeilingUnits: bigint, set = {}) =>
  steps.transfer({
    ...{ state: 'Requested', policyEpoch: null, amountUnits: '1', feeCeilingUnits: feeCeilingUnits.toString() },
    ...{ feeSponsorId, sponsorAddress: RECIPIENT },
    ...set,
  });
const judged = async (feeCeilingUnits: bigint, set = {}) => (await steps.evaluate(await sponsored(feeCeilingUnits, set))).outcome;
const policy = (content: Omit<Parameters<typeof insertPolicy>[2], 'filters'>) =>
  insertPolicy(database.db, steps.orgId, { filters: { walletId: { in: [sponsorWalletId] } }, ...content });

test('a policy on the wallet of the sponsor judges the fee ceiling, to the unit', async () => {
  const policyId = await policy({ rule: limit(3_000), action: BLOCK });
  expect([await judged(ETHER), await judged(ETHER + 1n)]).toEqual(['Cleared', 'Ended']);
  const id = await sponsored(2n * ETHER);
  await steps.evaluate(id);
  const [verdict] = await database.db.read(steps.orgId).rows(VerdictEntity, 'WHERE t.activity_id = $1', [id]);
  const reason = 'For the wallet of the fee sponsor: The value of the transaction is above the limit of 3000 USD';
  expect(verdict).toMatchObject({
    evaluations: [{ policyId, triggered: true, reason }],
    facts: { sponsor: { walletId: sponsorWalletId, walletTags: ['sponsor'], amountUsdMicro: '6000000000' } },
  });
});

test('people decide about what a sponsor pays, and the sender’s own policies are asked together with them', async () => {
  await policy({ action: ANYONE });
  await insertPolicy(database.db, steps.orgId, { action: ANYONE, filters: { walletId: { in: [steps.walletId] } } });
  const held = await steps.evaluate(await sponsored(1n));
  expect(held.outcome === 'Held' && held.groups).toHaveLength(2);
  expect((await steps.evaluate(await steps.transfer({ state: 'Requested', policyEpoch: null }))).outcome).toBe('Held');
});

test('what it pays counts in the windows of its wallet, each by its ceiling, and is given back with the transfer', async () => {
  const timeframe = 60;
  await policy({
    rule: { kind: 'TransactionAmountVelocity', configuration: { limit: 3_000, currency: 'USD', timeframe } },
    action: BLOCK,
  });
  const first = await sponsored(ETHER / 2n);
  expect((await steps.evaluate(first)).outcome).toBe('Cleared');
  expect([await judged(ETHER / 2n), await judged(1n)]).toEqual(['Cleared', 'Ended']);
  await steps.fail(first);
  expect(await judged(ETHER / 2n)).toBe('Cleared');
  const rows = await database.db.read(steps.orgId).rows(UsageReservationEntity, 'WHERE t.wallet_id = $1', [steps.walletId]);
  expect(rows.map(({ amountUsdMicro }) => amountUsdMicro)).toEqual(Array(2).fill('0.000000003'));
});

test('rules about recipients do not look at a fee', async () => {
  await policy({ rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } }, action: BLOCK });
  expect(await judged(1n)).toBe('Cleared');
});

test('an end user’s own transfer is judged for what the organisation’s sponsor pays, and for nothing else', async () => {
  await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.query('UPDATE keys SET delegated_to = $2 WHERE org_id = $1 AND id = (SELECT key_id FROM wallets WHERE id = $3)', [
      steps.orgId,
      steps.userId,
      steps.walletId,
    ]);
  });
  expect(await database.db.read(steps.orgId).rows(KeyEntity, 'WHERE t.delegated_to = $1', [steps.userId])).toHaveLength(1);
  await insertPolicy(database.db, steps.orgId, { rule: limit(3_000), action: BLOCK });
  const much = { amountUnits: (5n * ETHER).toString() };
  expect([await judged(ETHER, much), await judged(ETHER + 1n)]).toEqual(['Cleared', 'Ended']);
  expect(await judged(ETHER + 1n, { feeSponsorId: null, sponsorAddress: null, ...much })).toBe('Cleared');
});
