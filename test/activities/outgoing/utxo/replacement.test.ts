import { createUtxoReplacement } from '../../../../activities/outgoing/utxo/replacement';
import { utxoCodecOf } from '../../../../chains/codecs';
import { utxoDecoderOf } from '../../../../chains/decoders';
import type { Coin, SpendStatus, UtxoIntent, UtxoReader } from '../../../../chains/utxo/types';
import { keyStore } from '../../../../entities/keys/key.store';
import { coinClaim } from '../../../../entities/outgoing/coin.store';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { newId } from '../../../../platform/ids';
import { fundedCoins } from '../../../chains/utxo/coins';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const NETWORK = 'BitcoinSignet';
const codec = utxoCodecOf(NETWORK);
const TO = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const FEE = 300n;
/** Of one that depends on nothing; a replacement does not ask. */
const ancestry = { vbytes: 141n, feeUnits: FEE };

let database: TestDatabase;
let steps: TransferSteps;
let publicKeyHex: string;
beforeAll(async () => {
  database = await createTestDatabase();
  steps = await createTransferSteps(database.db, await database.createOrganization());
  publicKeyHex = (await keyStore.ofWallet(database.db.read(steps.orgId), steps.walletId))?.publicKey ?? '';
});
afterAll(() => database?.close());

let seed = 1n;
type Story = {
  readonly kind?: 'SpeedUp' | 'Cancel';
  readonly amountUnits?: bigint;
  readonly standing?: SpendStatus;
  readonly ceiling?: bigint;
  readonly spare?: Partial<Coin>;
  readonly changeIsSpent?: boolean;
};

/** A payment with one coin of 100,000, and what is built to take its place; another coin of as much is there as `spare`. */
async function replace(story: Story) {
  const { kind = 'SpeedUp', amountUnits = 50_000n, ceiling = 100_000n, changeIsSpent = false } = story;
  const { db } = database;
  const { orgId } = steps;
  seed += 1n; // other amounts, so that the coins of each story are its own
  const { address: from, coins, previous } = fundedCoins(NETWORK, publicKeyHex, undefined, [100_000n + seed, 100_000n]);
  const [spent, other] = coins;
  if (!spent || !other) throw new Error('two coins are made');
  const intent: UtxoIntent = { network: NETWORK, from, to: TO, amountUnits, publicKeyHex };
  const changeUnits = spent.amountUnits - amountUnits - FEE;
  const { bytesHex, digestHex } = codec.build(intent, { coins: [spent], feeUnits: FEE, changeUnits }, previous);
  const psbt = Buffer.from(bytesHex.slice(2), 'hex');
  const unsigned = psbt.subarray(8, 8 + (psbt[7] ?? 0)).toString('hex');
  // With a witness of the usual size, whatever it says: only what nodes count is read of it.
  const witness = `0247${'30'.repeat(71)}21${publicKeyHex}`;
  const rawHex = `${unsigned.slice(0, 8)}0001${unsigned.slice(8, -8)}${witness}${unsigned.slice(-8)}`;
  const money = { network: NETWORK, fromAddress: from, feeCeilingUnits: String(ceiling), assetDecimals: 8 } as const;
  const first = await steps.transfer({ ...money, toAddress: TO, amountUnits: String(amountUnits), state: 'Broadcasted' });
  const txHash = seed.toString(16).padStart(64, '0');
  await db.withOrg(orgId, async (tx) => {
    const sent = {
      unsignedHex: bytesHex,
      digestHex,
      rawHex,
      txHash,
      nonce: null,
      maxFeeUnits: String(FEE),
      state: 'Broadcasted',
    };
    const payload = { orgId, id: newId('payload'), transferId: first, network: NETWORK, fromAddress: from } as const;
    await tx.insert(PayloadEntity, { ...payload, ...sent, state: 'Broadcasted' });
    await laneStore.claim(tx, { id: first, network: NETWORK }, coinClaim(from, spent));
  });
  if (changeIsSpent) {
    const id = await steps.transfer(money);
    await db.withOrg(orgId, (tx) => laneStore.claim(tx, { id, network: NETWORK }, coinClaim(from, { txid: txHash, vout: 1 })));
  }
  const tier = { milliUnitsPerVbyte: 1_000n, blockHorizon: 2 };
  const reader: UtxoReader = {
    family: 'utxo',
    chainId: async () => '',
    nativeBalance: async () => 0n,
    feeEstimates: () => Promise.reject(new Error('nobody asks for estimates here')),
    coins: async () => [{ ...other, ...story.spare }],
    previousTransactions: async () => previous,
    feeRates: async () => ({ Slow: tier, Standard: tier, Fast: tier }),
    standing: async () => story.standing ?? { kind: 'Waiting', dependents: 1, feeUnits: FEE, ancestry },
    unspent: () => Promise.reject(new Error('nobody asks for single coins here')),
    received: () => Promise.reject(new Error('nobody asks for receipts here')),
  };
  const isCancel = kind === 'Cancel';
  const id = await steps.transfer({
    ...{ ...money, toAddress: isCancel ? from : TO, amountUnits: isCancel ? '0' : String(amountUnits) },
    ...{ form: 'Transaction', replacementKind: kind, replacesId: first, claimsOf: first },
  });
  const [row, rival] = [await steps.row(id), await steps.payload(first)];
  const place = await createUtxoReplacement(db, () => reader).quote(row, rival);
  const placed = await db.withOrg(orgId, (tx) => place(tx, row));
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
  // 300 for the other one, and 141 bytes of its own (BIP125, rules 3 and 4).
  expect(decoded?.feeUnits).toBeGreaterThanOrEqual(FEE + 141n);
});

test('it pays for whatever it drives out, and no more than was approved', async () => {
  const standing: SpendStatus = { kind: 'Waiting', dependents: 3, feeUnits: 9_000n, ancestry };
  expect((await replace({ standing })).decoded?.feeUnits).toBeGreaterThanOrEqual(9_141n);
  expect((await replace({ standing, ceiling: 9_000n })).placed).toEqual({ kind: 'FeeAboveCeiling' });
});

test('a cancellation brings the coin home in one output', async () => {
  const { decoded, from } = await replace({ kind: 'Cancel' });
  expect(decoded?.outputs.map(({ address }) => address)).toEqual([from]);
});

test('where the change is too small a coin is added that is in a block, and claimed', async () => {
  const story: Story = { amountUnits: 99_000n, standing: { kind: 'Waiting', dependents: 2, feeUnits: 3_000n, ancestry } };
  const { placed, decoded, other } = await replace(story);
  expect(decoded?.inputs).toHaveLength(2);
  expect(placed).toMatchObject({ claims: [expect.objectContaining({ key: `${other?.txid}:${other?.vout}` })] });
  const unconfirmed = { confirmations: 0, isOwnChange: true };
  await expect(replace({ ...story, spare: unconfirmed })).rejects.toMatchObject({ code: 'TransferWouldFail' });
});

test.each<[string, Story, RegExp]>([
  ['is in a block', { standing: { kind: 'Included' } }, /block spends its coins/],
  ['was beaten to its coins', { standing: { kind: 'Beaten' } }, /block spends its coins/],
  ['carries 101', { standing: { kind: 'Waiting', dependents: 101, feeUnits: FEE, ancestry } }, /More than 100/],
  ['has its change spent', { changeIsSpent: true }, /spends what it pays back/],
])('nothing takes the place of what %s', async (_title, story, message) => {
  await expect(replace(story)).rejects.toMatchObject({ code: 'TransferWouldFail', message: expect.stringMatching(message) });
});
