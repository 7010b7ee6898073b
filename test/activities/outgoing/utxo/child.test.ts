import { quoteChild } from '../../../../activities/outgoing/utxo/child';
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

const NETWORK = 'LitecoinTestnet';
const codec = utxoCodecOf(NETWORK);
const TO = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const FEE = 200n;
const ANCESTRY = { vbytes: 141n, feeUnits: FEE };

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
  readonly changeUnits?: bigint;
  readonly marketRate?: bigint;
  readonly standing?: SpendStatus;
  readonly ceiling?: bigint;
  readonly parentState?: 'Broadcasted' | 'Included';
  readonly isChangeSpent?: boolean;
};

/** The child of a payment that pays 200 for its 141 bytes; another coin of 100,000 is in a block. */
async function child(story: Story) {
  const { changeUnits = 60_000n, marketRate = 10_000n, ceiling = 100_000n, parentState = 'Broadcasted' } = story;
  const { db } = database;
  const { orgId } = steps;
  seed += 1n; // other amounts, so that the coins of each story are its own
  const { address: from, coins, previous } = fundedCoins(NETWORK, publicKeyHex, undefined, [100_000n + seed, 100_000n]);
  const [spent, other] = coins;
  if (!spent || !other) throw new Error('two coins are made');
  const amountUnits = spent.amountUnits - changeUnits - FEE;
  const intent: UtxoIntent = { network: NETWORK, from, to: TO, amountUnits, publicKeyHex };
  const { bytesHex, digestHex } = codec.build(intent, { coins: [spent], feeUnits: FEE, changeUnits }, previous);
  const psbt = Buffer.from(bytesHex.slice(2), 'hex');
  const rawHex = psbt.subarray(8, 8 + (psbt[7] ?? 0)).toString('hex');
  const [change] = codec.coinsOf(rawHex, from);
  if (!change) throw new Error('the rest comes back');
  const money = { network: NETWORK, fromAddress: from, feeCeilingUnits: String(ceiling), assetDecimals: 8 } as const;
  const first = await steps.transfer({ ...money, toAddress: TO, amountUnits: String(amountUnits), state: 'Broadcasted' });
  await db.withOrg(orgId, async (tx) => {
    const sent = { unsignedHex: bytesHex, digestHex, rawHex, txHash: change.txid, nonce: null, maxFeeUnits: String(FEE) };
    const payload = { orgId, id: newId('payload'), transferId: first, network: NETWORK, fromAddress: from } as const;
    await tx.insert(PayloadEntity, { ...payload, ...sent, state: parentState });
    await laneStore.claim(tx, { id: first, network: NETWORK }, coinClaim(from, spent));
  });
  if (story.isChangeSpent) {
    const id = await steps.transfer(money);
    await db.withOrg(orgId, (tx) => laneStore.claim(tx, { id, network: NETWORK }, coinClaim(from, change)));
  }
  const tier = { milliUnitsPerVbyte: marketRate, blockHorizon: 2 };
  const reader: UtxoReader = {
    family: 'utxo',
    chainId: async () => '',
    nativeBalance: async () => 0n,
    feeEstimates: () => Promise.reject(new Error('nobody asks for estimates here')),
    coins: async (): Promise<readonly Coin[]> => [{ ...other, confirmations: 6 }, change],
    previousTransactions: async () => new Map([...previous, [change.txid, rawHex]]),
    feeRates: async () => ({ Slow: tier, Standard: tier, Fast: tier }),
    standing: async () => story.standing ?? { kind: 'Waiting', dependents: 1, feeUnits: FEE, ancestry: ANCESTRY },
    unspent: () => Promise.reject(new Error('nobody asks for single coins here')),
    received: () => Promise.reject(new Error('nobody asks for receipts here')),
  };
  const id = await steps.transfer({ ...money, toAddress: from, amountUnits: '0', form: 'Transaction', paysForId: first });
  const row = await steps.row(id);
  const place = await quoteChild(db, reader, row, first);
  const placed = await db.withOrg(orgId, (tx) => place(tx, row));
  if (placed.kind !== 'Built') return { placed, change, other, from, decoded: undefined };
  return { placed, change, other, from, decoded: utxoDecoderOf(NETWORK).decode(placed.unsigned.bytesHex) };
}

const nameOf = ({ txid, vout }: { readonly txid: string; readonly vout: number }) => `${txid}:${vout}`;

test.each([
  // 110 bytes of its own and 141 of the parent at ten units, less the 200 that the parent pays.
  ['at the rate of the market', {}, 2_310n],
  // 200 for 141 bytes is 1.419 a byte, and one more is what the nodes relay at least.
  ['at one above that of the parent', { marketRate: 1_000n }, 409n],
])('a child spends the change, brings it home and pays for both %s', async (_, story, fee) => {
  const { placed, decoded, change, from } = await child(story);
  expect(decoded?.inputs.map(nameOf)).toEqual([nameOf(change)]);
  expect(decoded?.outputs.map(({ address }) => address)).toEqual([from]);
  expect(decoded?.feeUnits).toBe(fee);
  expect(placed).toMatchObject({ claims: [coinClaim(from, change)] });
});

test('what the parent needs itself is taken along as well', async () => {
  const standing: SpendStatus = {
    ...{ kind: 'Waiting', dependents: 1, feeUnits: FEE },
    ancestry: { vbytes: 541n, feeUnits: 600n },
  };
  expect((await child({ standing })).decoded?.feeUnits).toBe(6_510n - 600n);
});

test('change too small for the fee is spent with a coin that is in a block', async () => {
  const { decoded, change, other } = await child({ changeUnits: 1_000n });
  expect(decoded?.inputs.map(nameOf)).toEqual([nameOf(change), nameOf(other)]);
});

test('no more is paid than was approved', async () => {
  expect((await child({ ceiling: 2_000n })).placed).toEqual({ kind: 'FeeAboveCeiling' });
});

test.each<[string, Story, RegExp]>([
  ['is in a block', { standing: { kind: 'Included' } }, /in a block by now/],
  ['is noted in a block', { parentState: 'Included' }, /waits no longer/],
  ['has its change spent', { isChangeSpent: true }, /belongs to another transaction/],
])('a parent that %s gets no child', async (_, story, message) => {
  await expect(child(story)).rejects.toMatchObject({ code: 'TransferWouldFail', message: expect.stringMatching(message) });
});
