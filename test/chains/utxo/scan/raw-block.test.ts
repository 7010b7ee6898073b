import { scryptSync } from 'node:crypto';
import { inFamily } from '../../../../chains/families';
import { NETWORKS } from '../../../../chains/networks';
import { Unreadable } from '../../../../chains/utxo/decoder-bytes';
import { readRawBlock } from '../../../../chains/utxo/scan/raw-block';
import type { NetworkName } from '../../../../domain/networks';
import { makeBlock, makeReward, makeTransaction } from '../../../support/raw-blocks';
import { blocks } from '../vectors/blocks.json';

const networkNamed = (name: string) => inFamily('utxo', NETWORKS[name as NetworkName]);
const read = (name: string, bytes: Buffer) => readRawBlock(networkNamed(name), bytes);
const refused = (name: string, bytes: Buffer) => {
  try {
    read(name, bytes);
    return 'accepted';
  } catch (error) {
    return error instanceof Unreadable ? error.message : String(error);
  }
};

const [merged, mergedLater, litecoin] = blocks.map(({ hex }) => Buffer.from(hex, 'hex')) as [Buffer, Buffer, Buffer];

test.each(blocks)('$network $height has its hash, height and all transactions', ({ network, hex, hash, height, ids }) => {
  const block = read(network, Buffer.from(hex, 'hex'));
  expect(block).toMatchObject({ hash, height });
  expect(block.transactions.map(({ txid }) => txid)).toEqual(ids);
});

/** The position in the first block of Dogecoin. The proof of another chain's work is between the header and the transactions. */
const TRANSACTIONS_AT = 535;

test('every altered byte of a header or of a transaction is noticed', () => {
  const outcome = (at: number) => {
    const altered = Buffer.from(merged);
    altered.writeUInt8((altered[at] ?? 0) ^ 1, at);
    return refused('Dogecoin', altered);
  };
  const covered = Array.from({ length: merged.length }, (_, at) => at).filter((at) => at < 80 || at >= TRANSACTIONS_AT);
  expect(covered.filter((at) => outcome(at) === 'accepted')).toEqual([]);
});

test('a network without merged mining does not accept the work of another chain', () => {
  expect(refused('Bitcoin', merged)).not.toBe('accepted');
});

test('the work of another chain is accepted only for the block that it refers to', () => {
  const stolen = Buffer.concat([merged.subarray(0, 80), mergedLater.subarray(80)]);
  expect(refused('Dogecoin', stolen)).toBe('the work of the other chain is not for this block');
});

test('on Litecoin the proof of work uses a different hash than the block’s id', () => {
  expect(refused('Bitcoin', litecoin)).toBe('the work of a block is missing');
});

const pay = (units: bigint) => [{ amountUnits: units, script: Buffer.from(`0014${'ab'.repeat(20)}`, 'hex') }];
const reward = makeReward(840_000, pay(5n));
const spending = (seed: number, flags = 1) =>
  makeTransaction([{ txid: seed.toString(16).padStart(64, '0'), vout: 1 }], pay(BigInt(seed)), flags);

test('a block with witnesses and one without have the same transactions', () => {
  const [bare, witnessed] = [0, 1].map((flags) => makeBlock([reward, spending(1, flags), spending(2, flags)]));
  const ids = [reward.txid, spending(1).txid, spending(2).txid];
  for (const bytes of [bare, witnessed] as Buffer[])
    expect(read('Bitcoin', bytes)).toMatchObject({ height: 840_000, transactions: ids.map((txid) => ({ txid })) });
});

test.each([1, 16])('the reward encodes a small height (%i) in one instruction', (height) => {
  const small = makeTransaction([{ txid: '00'.repeat(32), vout: 0xffff_ffff }], pay(1n), 0, Buffer.from([0x50 + height, 0]));
  expect(read('Bitcoin', makeBlock([small])).height).toBe(height);
});

test('a block that repeats transactions at its end keeps its root, and is refused (CVE-2012-2459)', () => {
  const [first, second] = [spending(1), spending(2)];
  const honest = makeBlock([reward, first, second]);
  const doubled = Buffer.concat([
    honest.subarray(0, 80),
    Buffer.from([4]),
    reward.bytes,
    first.bytes,
    second.bytes,
    second.bytes,
  ]);
  expect(refused('Bitcoin', honest)).toBe('accepted');
  expect(refused('Bitcoin', doubled)).toBe('the block repeats transactions');
});

test('inner hashes of the tree are not accepted as the transactions of a block', () => {
  const honest = makeBlock([reward, spending(1), spending(2), spending(3)]);
  const leaf = (txid: string) => Buffer.from(txid, 'hex').reverse();
  const inner = [
    [reward.txid, spending(1).txid],
    [spending(2).txid, spending(3).txid],
  ].map((pair) => Buffer.concat(pair.map(leaf)));
  const shown = Buffer.concat([honest.subarray(0, 80), Buffer.from([2]), ...inner]);
  expect(refused('Bitcoin', shown)).not.toBe('accepted');
});

test('a reward that is not the first transaction, and a second reward, are refused', () => {
  expect(refused('Bitcoin', makeBlock([spending(1), reward]))).toBe('the reward is not the first transaction');
  expect(refused('Bitcoin', makeBlock([reward, makeReward(3_000, pay(9n))]))).toBe('the reward is not the first transaction');
  expect(refused('Bitcoin', makeBlock([spending(1)]))).toBe('the reward is not the first transaction');
});

test('a block without the work that its target requires is refused', () => {
  const bytes = makeBlock([reward]);
  bytes.writeUInt32LE(0x1d00_ffff, 72);
  expect(refused('Bitcoin', bytes)).toBe('the work of a block is missing');
  for (const bits of [0, 0x2080_0000 | 1, 0xff7f_ffff]) {
    bytes.writeUInt32LE(bits >>> 0, 72);
    expect(refused('Bitcoin', bytes)).toBe('the target is not valid');
  }
});

const scrypt = (header: Buffer) => scryptSync(header, header, 32, { N: 1_024, r: 1, p: 1 });

test('only on Litecoin an extension block may follow the transactions, and its link is a transaction', () => {
  const link = spending(4, 8);
  const [plain, worked] = [makeBlock([reward, link]), makeBlock([reward, link], { work: scrypt })];
  const extension = Buffer.concat([Buffer.from([1]), Buffer.alloc(40, 9)]);
  expect(read('Litecoin', Buffer.concat([worked, extension])).transactions.at(-1)?.txid).toBe(link.txid);
  expect(refused('Bitcoin', Buffer.concat([plain, extension]))).toBe('there are bytes after the block');
});

test('a transaction with its own extension data is refused', () => {
  const link = spending(4, 8);
  const own = Buffer.from(link.bytes);
  own.writeUInt8(1, own.length - 5);
  const honest = makeBlock([reward, link], { work: scrypt });
  expect(refused('Litecoin', Buffer.concat([honest.subarray(0, honest.length - own.length), own]))).toBe(
    'a transaction has extension data',
  );
});

test('a count of transactions beyond the bytes is refused at once', () => {
  const bytes = makeBlock([reward]);
  const many = Buffer.concat([bytes.subarray(0, 80), Buffer.from('feffffffff', 'hex'), reward.bytes]);
  expect(refused('Bitcoin', many)).toBe('the bytes end too early');
});
