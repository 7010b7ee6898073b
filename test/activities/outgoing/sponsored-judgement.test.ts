import { ALTERED } from '../../../application/approvals/what-was-approved';
import type { Rule } from '../../../domain/policies';
import { approvalStore } from '../../../entities/approvals/approval.store';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { VerdictEntity } from '../../../entities/policies/verdict.entity';
import { UsageReservationEntity } from '../../../entities/usage/usage-reservation.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor, BLOCK, RECIPIENT } from '../../support/policies';
import { createTransferSteps, ETHER, type TransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

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

/** A transfer of one unit. The sponsor pays at most the ceiling for the fee. An ether is worth 3,000 dollars. */
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

test('a policy on the sponsor’s wallet asks for approval of the fee, together with the policies on the sender’s wallet', async () => {
  await policy({ action: ANYONE });
  await insertPolicy(database.db, steps.orgId, { action: ANYONE, filters: { walletId: { in: [steps.walletId] } } });
  const held = await steps.evaluate(await sponsored(1n));
  expect(held.outcome === 'Held' && held.groups).toHaveLength(2);
  expect((await steps.evaluate(await steps.transfer({ state: 'Requested', policyEpoch: null }))).outcome).toBe('Held');
});

test('the fee ceiling is included in the velocity windows of the sponsor’s wallet, and is removed when the transfer fails', async () => {
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

test('rules about recipients do not apply to the sponsor’s fee', async () => {
  await policy({ rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } }, action: BLOCK });
  expect(await judged(1n)).toBe('Cleared');
});

test('policies judge an end user’s own transfer only for the fee that the organisation’s sponsor pays', async () => {
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

describe('the sponsor that people approved', () => {
  const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  const forge = (sql: string, id: string) =>
    database.db.withOrg(steps.orgId, (tx) => tx.query(`UPDATE transfers SET ${sql} WHERE id = $1`, [id]));
  const held = async (id: string) => {
    const judgement = await steps.evaluate(id);
    if (judgement.outcome !== 'Held') throw new Error(`the transfer is ${judgement.outcome}`);
    const approval = await approvalStore.find(database.db.read(steps.orgId), judgement.approvalId);
    return { approvalId: judgement.approvalId, envelope: (approval?.committed as { envelope: object } | null)?.envelope };
  };
  let approver: Actor;
  beforeEach(async () => {
    approver = await createActor(database.db, steps.orgId);
  });
  const approve = (approvalId: string) => vote(database.db, approver, approvalId, 'Approved');

  test.each([`sponsor_address = '${OTHER}'`, 'sponsor_address = NULL, fee_sponsor_id = NULL'])(
    'is part of the content that they sign, and a request with %s is not released',
    async (sql) => {
      await policy({ action: ANYONE });
      const id = await sponsored(1n);
      const { approvalId, envelope } = await held(id);
      expect(envelope).toMatchObject({ sponsor: { id: feeSponsorId, address: RECIPIENT } });
      await approve(approvalId);
      await forge(sql, id);
      expect(await steps.evaluate(id)).toEqual({ outcome: 'Ended', state: 'Failed' });
      expect(steps.altered).toEqual([ALTERED.content]);
    },
  );

  test('a request from before sponsors were part of the signed content is judged without its sponsor', async () => {
    await policy({ action: ANYONE });
    const id = await sponsored(1n);
    await database.arrange('UPDATE transfers SET leaves_sponsor_out = true WHERE id = $1', [id]);
    const { approvalId, envelope } = await held(id);
    expect(envelope).not.toHaveProperty('sponsor');
    await approve(approvalId);
    expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
    const newer = await sponsored(1n);
    await expect(forge('leaves_sponsor_out = true', newer)).rejects.toThrow('the mark of earlier transfers never changes');
    const inserted = database.db.withOrg(steps.orgId, (tx) =>
      tx.query(`INSERT INTO transfers (org_id, id, leaves_sponsor_out) VALUES ($1, 'xfr-copy', true)`, [steps.orgId]),
    );
    await expect(inserted).rejects.toThrow('the mark of earlier transfers never changes');
  });
});
