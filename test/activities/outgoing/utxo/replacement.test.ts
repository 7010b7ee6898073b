import { createUtxoReplacement } from '../../../../activities/outgoing/utxo/replacement';
import { utxoDecoderOf } from '../../../../chains/decoders';
import type { Coin, SpendStatus } from '../../../../chains/utxo/types';
import { utxoPayments } from '../../../support/utxo-payments';

const NETWORK = 'BitcoinSignet';
const FEE = 300n;
const { to: TO, ancestry, send, readerOf, steps, db, publicKeyHex } = utxoPayments(NETWORK, FEE);

type Story = {
  readonly kind?: 'SpeedUp' | 'Cancel';
  readonly amountUnits?: bigint;
  readonly standing?: SpendStatus;
  readonly ceiling?: bigint;
  readonly spare?: Partial<Coin>;
  readonly changeIsSpent?: boolean;
};

/** Adds a dummy witness of the usual size. The code reads no more of the witness than its size. */
const witnessed = (unsigned: string): string =>
  `${unsigned.slice(0, 8)}0001${unsigned.slice(8, -8)}0247${'30'.repeat(71)}21${publicKeyHex()}${unsigned.slice(-8)}`;

/** A payment with one coin of 100,000, and the bytes that replace it. `spare` changes a second coin of the same amount. */
async function replace({ kind = 'SpeedUp', amountUnits = 50_000n, ceiling = 100_000n, ...story }: Story) {
  const changeOf = (coinUnits: bigint) => coinUnits - amountUnits - FEE;
  const isChangeSpent = story.changeIsSpent ?? false;
  const { first, from, money, spent, other, previous } = await send({ changeOf, ceiling, signed: witnessed, isChangeSpent });
  const reader = readerOf({
    coins: async () => [{ ...other, ...story.spare }],
    previousTransactions: async () => previous,
    milliUnitsPerVbyte: 1_000n,
    standing: story.standing,
  });
  const isCancel = kind === 'Cancel';
  const id = await steps().transfer({
    ...{ ...money, toAddress: isCancel ? from : TO, amountUnits: isCancel ? '0' : String(amountUnits) },
    ...{ form: 'Transaction', replacementKind: kind, replacesId: first, claimsOf: first },
  });
  const [row, rival] = [await steps().row(id), await steps().payload(first)];
  const place = await createUtxoReplacement(db(), () => reader).quote(row, rival);
  const placed = await db().withOrg(steps().orgId, (tx) => place(tx, row));
  if (placed.kind !== 'Built') return { placed };
  const decoded = utxoDecoderOf(NETWORK).decode(placed.unsigned.bytesHex);
  return { placed, decoded, from, spent, other };
}

test('a speed-up spends the same coin, pays the same, and takes its fee from the change', async () => {
  const { placed, decoded, spent, from } = await replace({});
  expect(placed).toMatchObject({ kind: 'Built', claims: [] });
  expect(decoded?.inputs.map(({ txid, vout }) => ({ txid, vout }))).toEqual([{ txid: spent?.txid, vout: spent?.vout }]);
  expect(decoded?.outputs.map(({ address }) => address)).toEqual([TO, from]);
  expect(decoded?.outputs[0]?.amountUnits).toBe(50_000n);
  // BIP125, rules 3 and 4: the fee of the first payment, 300, plus one unit for each of the 141 bytes of the replacement.
  expect(decoded?.feeUnits).toBeGreaterThanOrEqual(FEE + 141n);
});

test('a speed-up pays more than all transactions that it evicts, and no more than was approved', async () => {
  const standing: SpendStatus = { kind: 'Waiting', dependents: 3, feeUnits: 9_000n, ancestry };
  expect((await replace({ standing })).decoded?.feeUnits).toBeGreaterThanOrEqual(9_141n);
  expect((await replace({ standing, ceiling: 9_000n })).placed).toEqual({ kind: 'FeeAboveCeiling' });
});

test('a cancellation returns the coin to the wallet in one output', async () => {
  const { decoded, from } = await replace({ kind: 'Cancel' });
  expect(decoded?.outputs.map(({ address }) => address)).toEqual([from]);
});

test('when the change is too small, a confirmed coin is added and claimed', async () => {
  const story: Story = { amountUnits: 99_000n, standing: { kind: 'Waiting', dependents: 2, feeUnits: 3_000n, ancestry } };
  const { placed, decoded, other } = await replace(story);
  expect(decoded?.inputs).toHaveLength(2);
  expect(placed).toMatchObject({ claims: [expect.objectContaining({ key: `${other?.txid}:${other?.vout}` })] });
  const unconfirmed = { confirmations: 0, isOwnChange: true };
  await expect(replace({ ...story, spare: unconfirmed })).rejects.toMatchObject({ code: 'TransferWouldFail' });
});

test.each<[string, Story, RegExp]>([
  ['is in a block', { standing: { kind: 'Included' } }, /already spent in a block/],
  ['lost its coins to another transaction', { standing: { kind: 'Beaten' } }, /already spent in a block/],
  ['has 101 dependents', { standing: { kind: 'Waiting', dependents: 101, feeUnits: FEE, ancestry } }, /More than 100/],
  ['has its change spent', { changeIsSpent: true }, /spends the change/],
])('no replacement is built for a transaction that %s', async (_title, story, message) => {
  await expect(replace(story)).rejects.toMatchObject({ code: 'TransferWouldFail', message: expect.stringMatching(message) });
});
