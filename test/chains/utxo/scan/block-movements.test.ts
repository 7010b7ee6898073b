import { inFamily } from '../../../../chains/families';
import { NETWORKS } from '../../../../chains/networks';
import type { KnownCoin } from '../../../../chains/types';
import { ByteReader } from '../../../../chains/utxo/decoder-bytes';
import { addressOfScript } from '../../../../chains/utxo/decoder-scripts';
import { contentsOf, type Sources } from '../../../../chains/utxo/scan/block-movements';
import { readRawTransaction } from '../../../../chains/utxo/scan/raw-transaction';
import { plainOf } from '../../../../chains/utxo/scan/watched-scripts';
import type { NetworkName } from '../../../../domain/networks';
import { type MadeOutput, type MadeTransaction, makeReward, makeTransaction } from '../../../support/raw-blocks';

const networkNamed = (name: NetworkName) => inFamily('utxo', NETWORKS[name]);
const bitcoin = networkNamed('Bitcoin');
const scriptOf = (byte: string) => Buffer.from(`0014${byte.repeat(20)}`, 'hex');
const [ALICE, BOB, CAROL, DATA] = [scriptOf('aa'), scriptOf('bb'), scriptOf('cc'), Buffer.from('6a0401020304', 'hex')] as const;
const addressOf = (script: Buffer) => addressOfScript(bitcoin, script) as string;
const [alice, bob, carol] = [ALICE, BOB, CAROL].map(addressOf) as [string, string, string];
const output = (script: Buffer, amountUnits: bigint): MadeOutput => ({ script, amountUnits });

/** Coins from before the block, each in a transaction of its own. */
const coinTo = (script: Buffer, units: bigint): MadeTransaction =>
  makeTransaction([{ txid: '11'.repeat(32), vout: Number(units) }], [output(script, units)]);
const first = ({ txid }: MadeTransaction) => ({ txid, vout: 0 });
const readAll = (made: readonly MadeTransaction[]) => made.map(({ bytes }) => readRawTransaction(new ByteReader(bytes)));

type Before = { readonly known?: readonly MadeTransaction[]; readonly shown?: readonly MadeTransaction[] };

/** `known` are recorded coins of watched addresses, and `shown` are transactions that a node shows. */
async function movements(watched: readonly Buffer[], made: readonly MadeTransaction[], { known = [], shown = [] }: Before = {}) {
  const asked: string[] = [];
  const plain = new Set(watched.map(plainOf));
  const coins = new Map<string, KnownCoin>(
    readAll(known).map(({ txid, outputs: [coin] }) => [
      `${txid}:0`,
      { address: addressOf(coin?.script as Buffer), amountUnits: coin?.amountUnits ?? 0n },
    ]),
  );
  const sources: Sources = {
    network: bitcoin,
    isWatched: (one) => plain.has(one),
    coinsOf: async (txids) => new Map([...coins].filter(([coin]) => txids.some((txid) => coin.startsWith(txid)))),
    outputsOf: async (txids) => {
      asked.push(...txids);
      return new Map(readAll(shown).flatMap(({ txid, outputs }) => (txids.includes(txid) ? [[txid, outputs]] : [])));
    },
  };
  const { movements: found } = await contentsOf(readAll(made), sources);
  return {
    asked,
    found,
    told: found.map(({ address, direction, amountUnits, feeUnits }) => ({ address, direction, amountUnits, feeUnits })),
  };
}

const reward = makeReward(800_000, [output(CAROL, 50n)]);

test('the reward of a block is a payment without a sender', async () => {
  const { found, asked } = await movements([CAROL], [reward]);
  expect(found).toEqual([
    expect.objectContaining({ address: carol, direction: 'In', froms: [], tos: [carol], amountUnits: 50n }),
  ]);
  expect(asked).toEqual([]);
});

test('the spending of a known coin is found without a request to a node', async () => {
  const coin = coinTo(ALICE, 100n);
  const spends = makeTransaction([first(coin)], [output(BOB, 60n), output(DATA, 0n), output(ALICE, 30n)]);
  const { found, asked } = await movements([ALICE], [reward, spends], { known: [coin] });
  expect(found).toEqual([
    expect.objectContaining({
      ...{ kind: 'UtxoTransfer', address: alice, direction: 'Out', txHash: spends.txid, ordinal: 'value', place: 1_000_000 },
      ...{ froms: [alice], tos: [bob], from: alice, to: bob, amountUnits: 60n, feeUnits: 10n },
      coins: [{ vout: 2, amountUnits: 30n }],
    }),
  ]);
  expect(asked).toEqual([]);
});

test('an address that pays together with others sends the amount that does not come back, and no fee is attributed to it', async () => {
  const [own, other] = [coinTo(ALICE, 100n), coinTo(BOB, 50n)];
  const joint = makeTransaction([first(own), first(other)], [output(CAROL, 130n), output(ALICE, 8n), output(BOB, 2n)]);
  const { found, told } = await movements([ALICE, BOB], [reward, joint], { known: [own, other] });
  expect(told).toEqual([
    { address: alice, direction: 'Out', amountUnits: 92n, feeUnits: undefined },
    { address: bob, direction: 'Out', amountUnits: 48n, feeUnits: undefined },
  ]);
  expect(found[0]).toMatchObject({ froms: [alice, bob], tos: [carol, bob] });
});

test('an address that gets back more than it spent has received the difference', async () => {
  const [own, other] = [coinTo(ALICE, 100n), coinTo(BOB, 50n)];
  const joint = makeTransaction([first(own), first(other)], [output(ALICE, 140n)]);
  const { told } = await movements([ALICE], [reward, joint], { known: [own], shown: [other] });
  expect(told).toEqual([{ address: alice, direction: 'In', amountUnits: 40n, feeUnits: undefined }]);
});

test('an address that spends together with others and gets back exactly what it spent has a movement of zero', async () => {
  const [own, other] = [coinTo(ALICE, 100n), coinTo(BOB, 50n)];
  const joint = makeTransaction([first(own), first(other)], [output(ALICE, 100n)]);
  const { told } = await movements([ALICE], [reward, joint], { known: [own], shown: [other] });
  expect(told).toEqual([{ address: alice, direction: 'Out', amountUnits: 0n, feeUnits: undefined }]);
});

test('a coin of a watched address that was received before is recognised by the transaction that created it', async () => {
  const coin = coinTo(ALICE, 100n);
  const spends = makeTransaction([first(coin)], [output(BOB, 60n), output(ALICE, 30n)]);
  const { told } = await movements([ALICE], [reward, spends], { shown: [coin] });
  expect(told).toEqual([{ address: alice, direction: 'Out', amountUnits: 60n, feeUnits: 10n }]);
});

test('senders are listed only if all are known, and outputs of zero are not payments', async () => {
  const [one, two] = [coinTo(BOB, 70n), coinTo(CAROL, 50n)];
  const joint = makeTransaction([first(one), first(two)], [output(ALICE, 100n)]);
  const fromsOf = async (shown: readonly MadeTransaction[]) =>
    (await movements([ALICE], [reward, joint], { shown })).found[0]?.froms;
  expect(await fromsOf([one])).toEqual([]);
  expect(await fromsOf([one, two])).toEqual([bob, carol]);
  const empty = makeTransaction([first(one)], [output(ALICE, 0n), output(BOB, 60n)]);
  expect((await movements([ALICE], [reward, empty], { shown: [one] })).found).toEqual([]);
});

test.each([
  [100, 1],
  [101, 0],
])('for a transaction with %i inputs, senders are looked up %i times', async (inputs, times) => {
  const source = makeTransaction(
    [{ txid: '22'.repeat(32), vout: 0 }],
    Array.from({ length: inputs }, () => output(BOB, 1n)),
  );
  const many = makeTransaction(
    Array.from({ length: inputs }, (_, vout) => ({ txid: source.txid, vout })),
    [output(ALICE, 5n)],
  );
  const { found, asked } = await movements([ALICE], [reward, many], { shown: [source] });
  expect(asked).toHaveLength(times);
  expect(found).toEqual([expect.objectContaining({ amountUnits: 5n, froms: times === 1 ? [bob] : [] })]);
});

test('a payment that comes before its coin in the block, as on Bitcoin Cash, is found', async () => {
  const coin = coinTo(ALICE, 100n);
  const spends = makeTransaction([first(coin)], [output(BOB, 90n)]);
  const { told } = await movements([ALICE], [reward, spends, coin]);
  expect(told).toEqual([
    { address: alice, direction: 'Out', amountUnits: 90n, feeUnits: 10n },
    { address: alice, direction: 'In', amountUnits: 100n, feeUnits: undefined },
  ]);
});

test.each([
  ['without parts', '20', ''],
  ['with a commitment', '60', '03010203'],
  ['with an amount', '10', 'ffffffffffffffff7f'],
  ['with both', '71', '0101fd0102'],
])('on Bitcoin Cash, the movement of a coin with a token %s ignores the token', async (_title, parts, more) => {
  const network = networkNamed('BitcoinCash');
  const locking = Buffer.from(`76a914${'dd'.repeat(20)}88ac`, 'hex');
  const script = Buffer.concat([Buffer.from(`ef${'33'.repeat(32)}${parts}${more}`, 'hex'), locking]);
  const paid = makeReward(800_000, [output(script, 1_000n)]);
  const isWatched = (one: string) => one === plainOf(locking);
  const none = { coinsOf: async () => new Map(), outputsOf: async () => new Map() };
  const found = await contentsOf(readAll([paid]), { network, isWatched, ...none });
  expect(found.movements).toEqual([expect.objectContaining({ address: addressOfScript(network, locking), amountUnits: 1_000n })]);
  expect((await contentsOf(readAll([paid]), { network: bitcoin, isWatched, ...none })).movements).toEqual([]);
});
