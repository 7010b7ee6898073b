import { quoteChild } from '../../../../activities/outgoing/utxo/child';
import { utxoDecoderOf } from '../../../../chains/decoders';
import type { SpendStatus } from '../../../../chains/utxo/types';
import { coinClaim } from '../../../../entities/outgoing/coin.store';
import { utxoPayments } from '../../../support/utxo-payments';

const NETWORK = 'LitecoinTestnet';
const FEE = 200n;
const { send, readerOf, steps, db } = utxoPayments(NETWORK, FEE);

type Story = {
  readonly changeUnits?: bigint;
  readonly marketRate?: bigint;
  readonly standing?: SpendStatus;
  readonly ceiling?: bigint;
  readonly parentState?: 'Broadcasted' | 'Included';
  readonly isChangeSpent?: boolean;
};

/** The child of a payment that pays 200 for its 141 bytes; another coin of 100,000 is in a block. */
async function child({ changeUnits = 60_000n, marketRate = 10_000n, ceiling = 100_000n, ...story }: Story) {
  const { parentState: state = 'Broadcasted', isChangeSpent = false, standing } = story;
  const sent = await send({ changeOf: () => changeUnits, ceiling, state, isChangeSpent });
  const { first, from, money, other, change, previous, rawHex } = sent;
  const reader = readerOf({
    coins: async () => [{ ...other, confirmations: 6 }, change],
    previousTransactions: async () => new Map([...previous, [change.txid, rawHex]]),
    milliUnitsPerVbyte: marketRate,
    standing,
  });
  const asked = { ...money, toAddress: from, amountUnits: '0', form: 'Transaction', paysForId: first } as const;
  const row = await steps().row(await steps().transfer(asked));
  const place = await quoteChild(db(), reader, row, first);
  const placed = await db().withOrg(steps().orgId, (tx) => place(tx, row));
  const decoded = placed.kind === 'Built' ? utxoDecoderOf(NETWORK).decode(placed.unsigned.bytesHex) : undefined;
  return { placed, change, other, from, decoded };
}

const nameOf = ({ txid, vout }: { readonly txid: string; readonly vout: number }) => `${txid}:${vout}`;

test.each([
  // The 110 bytes of the child and the 141 of the parent cost ten units a byte, less the 200 that the parent pays.
  ['at the market rate', {}, 2_310n],
  // The parent pays 200 for 141 bytes, 1.419 per byte. Nodes require at least one unit per byte more.
  ['at one unit per byte above the rate of the parent', { marketRate: 1_000n }, 409n],
])('a child spends the change of its parent, returns it to the wallet and pays for both %s', async (_, story, fee) => {
  const { placed, decoded, change, from } = await child(story);
  expect(decoded?.inputs.map(nameOf)).toEqual([nameOf(change)]);
  expect(decoded?.outputs.map(({ address }) => address)).toEqual([from]);
  expect(decoded?.feeUnits).toBe(fee);
  expect(placed).toMatchObject({ claims: [coinClaim(from, change)] });
});

test('the child also pays for the unconfirmed ancestors of its parent', async () => {
  const standing: SpendStatus = {
    ...{ kind: 'Waiting', dependents: 1, feeUnits: FEE },
    ancestry: { vbytes: 541n, feeUnits: 600n },
  };
  expect((await child({ standing })).decoded?.feeUnits).toBe(6_510n - 600n);
});

test('change too small for the fee is spent together with a confirmed coin', async () => {
  const { decoded, change, other } = await child({ changeUnits: 1_000n });
  expect(decoded?.inputs.map(nameOf)).toEqual([nameOf(change), nameOf(other)]);
});

test('a child whose fee exceeds the approved ceiling is not built', async () => {
  expect((await child({ ceiling: 2_000n })).placed).toEqual({ kind: 'FeeAboveCeiling' });
});

test.each<[string, Story, RegExp]>([
  ['is in a block', { standing: { kind: 'Included' } }, /already in a block/],
  ['is recorded as included', { parentState: 'Included' }, /no longer pending/],
  ['has its change spent', { isChangeSpent: true }, /Another transaction has claimed the coin/],
])('a parent that %s gets no child', async (_, story, message) => {
  await expect(child(story)).rejects.toMatchObject({ code: 'TransferWouldFail', message: expect.stringMatching(message) });
});
