import { solanaDecoderOf } from '../../../../chains/decoders';
import { FeeSponsorEntity } from '../../../../entities/fee-sponsors/fee-sponsor.entity';
import { startBank, type TestBank } from '../../../local/solana/bank';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { advanceOf, createSolanaSteps, SOL, type SolanaSteps } from '../../../support/solana-steps';

const decoder = solanaDecoderOf('SolanaDevnet');
const byNonce = { options: { useDurableNonce: true } };
let database: TestDatabase;
let bank: TestBank;
let steps: SolanaSteps;
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startBank()]);
});
afterAll(() => Promise.all([database?.close(), bank?.close()]));
beforeEach(async () => {
  steps = await createSolanaSteps(database.db, await database.createOrganization(), bank);
});

const built = async (id: string) => decoder.decodeTransfer((await steps.payload(id)).unsignedHex);
const fund = (address: string, units: bigint) => {
  bank.call('requestAirdrop', address, Number(units));
  bank.call('strongroom_advanceSlots', 2);
};

test('a transfer with a blockhash is built once, even when the chain has advanced by the second run, and claims nothing', async () => {
  const id = await steps.transfer();
  expect(await steps.prepare(id)).toBe('Ready');
  const payload = await steps.payload(id);
  expect(payload).toMatchObject({ state: 'Built', nonce: null, rawHex: null, fromAddress: steps.wallet.address });
  expect(payload.context).toMatchObject({ lifetime: { kind: 'blockhash' }, slot: expect.any(Number) });
  bank.call('strongroom_advanceSlots', 4);
  expect(await steps.prepare(id)).toBe('Ready');
  expect(await steps.payload(id)).toEqual(payload);
  expect(await steps.claims()).toEqual([]);
});

test('of three transfers that are prepared at once, twice each, two claim a durable nonce of their own, and the third waits', async () => {
  const [first, second] = await steps.makeNonces(2);
  const ids = await Promise.all(Array.from({ length: 3 }, () => steps.transfer(byNonce)));
  const words = await Promise.all(ids.flatMap((id) => [steps.prepare(id), steps.prepare(id)]));
  expect([...words].sort()).toEqual(['Ready', 'Ready', 'Ready', 'Ready', 'Waiting', 'Waiting']);
  const claims = await steps.claims();
  const keys = [first, second].map((one) => `${one?.account}:${one?.value}`).sort();
  const lane = steps.wallet.address;
  expect(claims).toMatchObject(keys.map((key) => ({ kind: 'durable-nonce', key, lane, state: 'Signing' })));
  for (const { key, transferId } of claims) {
    const { lifetime } = await built(transferId ?? '');
    expect(lifetime).toMatchObject({ kind: 'durable-nonce', authority: lane });
    expect(lifetime.kind === 'durable-nonce' && `${lifetime.account}:${lifetime.value}`).toBe(key);
  }
  const last = ids.find((id) => !claims.some(({ transferId }) => transferId === id)) ?? '';
  const { state, waitingSince, hindrance } = await steps.row(last);
  expect({ state, hindrance }).toMatchObject({ state: 'Approved', hindrance: { kind: 'LaneTurn', detail: 'Turn' } });
  expect(waitingSince).not.toBeNull();
});

test('above the approved ceiling nothing is built or claimed, and the transfer stays Approved', async () => {
  await steps.makeNonces(1);
  const id = await steps.transfer({ ...byNonce, feeCeilingUnits: '5000' });
  expect([await steps.prepare(id), await steps.prepare(id)]).toEqual(['FeeAboveCeiling', 'FeeAboveCeiling']);
  expect(await steps.row(id)).toMatchObject({ state: 'Approved', hindrance: { kind: 'FeesAboveCeiling' } });
  expect(await steps.claims()).toEqual([]);
});

test('a transfer waits while earlier transfers reserve its funds, and fails when the balance alone is too small', async () => {
  const [first, second] = [
    await steps.transfer({ amountUnits: '600000000' }),
    await steps.transfer({ amountUnits: '390000000' }),
  ];
  const third = await steps.transfer({ amountUnits: '20000000' });
  expect([await steps.prepare(first), await steps.prepare(second)]).toEqual(['Ready', 'Ready']);
  expect(await steps.prepare(third)).toBe('Waiting');
  expect((await steps.row(third)).hindrance).toMatchObject({ kind: 'LaneTurn', detail: 'Funds' });
  const much = await steps.transfer({ amountUnits: (2n * SOL).toString() });
  expect(await steps.prepare(much)).toBe('Failed');
  expect(await steps.row(much)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('insufficient funds') });
});

test('a transfer with a durable nonce fails when no nonce account is ready', async () => {
  const id = await steps.transfer(byNonce);
  expect(await steps.prepare(id)).toBe('Failed');
  expect((await steps.row(id)).reason).toBe('The wallet has no nonce accounts that are ready');
});

test('the sponsor’s balance covers the fee, the wallet’s balance covers the amount, and the nonce belongs to the wallet', async () => {
  const [nonce] = await steps.makeNonces(1);
  const amountUnits = String(await steps.reader.nativeBalance(steps.wallet.address));
  const ask = () => steps.transfer({ ...byNonce, ...steps.bySponsor, amountUnits });
  const poor = await ask();
  expect(await steps.prepare(poor)).toBe('Failed');
  expect((await steps.row(poor)).reason).toBe('The fee sponsor cannot pay the fee');
  fund(steps.sponsor.address, SOL);
  const id = await ask();
  expect([await steps.prepare(id), await steps.prepare(id)]).toEqual(['Ready', 'Ready']);
  expect(await built(id)).toMatchObject({ feePayer: steps.sponsor.address, from: steps.wallet.address });
  expect((await steps.payload(id)).fromAddress).toBe(steps.sponsor.address);
  const key = `${nonce?.account}:${nonce?.value}`;
  expect(await steps.claims()).toEqual([
    { kind: 'durable-nonce', key, lane: steps.wallet.address, transferId: id, state: 'Signing' },
  ]);
});

describe('the replacement of a sponsored transfer', () => {
  const rivalOf = (id: string, kind: 'SpeedUp' | 'Cancel', more = {}) =>
    steps.transfer({
      ...{ form: 'Transaction', replacementKind: kind, replacesId: id, claimsOf: id, ...steps.bySponsor },
      ...(kind === 'Cancel' ? { toAddress: steps.wallet.address, amountUnits: '0' } : byNonce),
      ...more,
    });
  const sent = async () => {
    fund(steps.sponsor.address, SOL);
    await steps.makeNonces(1);
    await steps.drop(true);
    const id = await steps.transfer({ ...byNonce, ...steps.bySponsor });
    await steps.send(id);
    return { id, before: await built(id) };
  };
  afterEach(() => steps.drop(false));

  test.each(['SpeedUp', 'Cancel'] as const)(
    '%s: keeps nonce and sponsor, even a deactivated one, and makes the first transaction invalid; a second run claims no more',
    async (kind) => {
      const { id, before } = await sent();
      const rival = await rivalOf(id, kind);
      await database.db.withOrg(steps.orgId, (tx) =>
        tx.update(FeeSponsorEntity, { id: steps.bySponsor.feeSponsorId }, { status: 'Deactivated' }),
      );
      expect(await Promise.all([steps.prepare(rival), steps.prepare(rival)])).toEqual(['Ready', 'Ready']);
      const { lifetime, feePayer, destination, amountUnits, maxFeeUnits } = await built(rival);
      expect({ lifetime, feePayer }).toEqual({ lifetime: before.lifetime, feePayer: steps.sponsor.address });
      const moved = kind === 'Cancel' ? [steps.wallet.address, 0n] : [steps.recipient, 1_000_000n];
      expect([destination, amountUnits]).toEqual(moved);
      expect(maxFeeUnits > 10_000n && maxFeeUnits <= 3_000_000n).toBe(true);
      expect(await steps.claims()).toMatchObject([{ transferId: id }]);

      await steps.drop(false);
      const [held, paid] = await Promise.all([steps.wallet.address, steps.recipient].map(steps.reader.nativeBalance));
      await steps.send(rival);
      bank.call('strongroom_advanceSlots', 4);
      const first = await steps.payload(id);
      expect(await steps.gateway.broadcast(first.rawHex ?? '', first.txHash ?? '')).toMatchObject({ kind: 'Rejected' });
      const units = kind === 'Cancel' ? 0n : 1_000_000n;
      expect(await steps.reader.nativeBalance(steps.wallet.address)).toBe((held ?? 0n) - units);
      expect(await steps.reader.nativeBalance(steps.recipient)).toBe((paid ?? 0n) + units);
    },
  );

  test('is not built above the ceiling, nor after the nonce has advanced', async () => {
    const { id } = await sent();
    const dear = await rivalOf(id, 'SpeedUp', { feeCeilingUnits: '10001' });
    expect(await steps.prepare(dear)).toBe('FeeAboveCeiling');
    await steps.drop(false);
    await steps.sendBehindOurBack(await advanceOf(steps));
    const late = await rivalOf(id, 'Cancel');
    expect(await steps.prepare(late)).toBe('Failed');
    expect((await steps.row(late)).reason).toBe('The durable nonce was used before another transaction could replace this one');
  });
});
