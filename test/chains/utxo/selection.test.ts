import { utxoCodecOf } from '../../../chains/codecs';
import type { Coin, UtxoIntent } from '../../../chains/utxo/types';
import { COMPRESSED } from './coins';

const NETWORK = 'BitcoinSignet';
const codec = utxoCodecOf(NETWORK);
const from = codec.addressOf(COMPRESSED);
const to = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const scriptHex = codec.scriptOf(from);
const intentOf = (amountUnits: bigint): UtxoIntent => ({ network: NETWORK, from, to, amountUnits, publicKeyHex: COMPRESSED });

function coin(vout: number, amountUnits: bigint, more: Partial<Coin> = {}): Coin {
  const txid = (vout + 1).toString(16).padStart(64, '0');
  return { txid, vout: 0, amountUnits, scriptHex, confirmations: 6, isCoinbase: false, isOwnChange: false, ...more };
}
const RATE = { milliUnitsPerVbyte: 1_500n };
function chosen(amountUnits: bigint, coins: readonly Coin[], anchor?: readonly Coin[]) {
  const selection = codec.select(intentOf(amountUnits), coins, RATE, anchor ? { anchor } : {});
  if (typeof selection === 'string') throw new Error(selection);
  return selection;
}

test('a rate may be a fraction: 1.5 per byte of one input and two outputs', () => {
  // BIP141 counts 10.5 + 68 + 2 × 31 bytes as 141.
  expect(chosen(50_000n, [coin(0, 100_000n)])).toMatchObject({ feeUnits: 212n, changeUnits: 49_788n });
});

test('change that would be dust is added to the fee', () => {
  expect(chosen(99_700n, [coin(0, 100_000n)])).toMatchObject({ feeUnits: 300n, changeUnits: 0n });
});

test.each<[string, Partial<Coin>]>([
  ['unconfirmed and not our own change', { confirmations: 0 }],
  ['an immature mining reward', { isCoinbase: true, confirmations: 99 }],
  ['with a token', { hasToken: true }],
  ['locked by a different script', { scriptHex: codec.scriptOf(to) }],
  ['so small that it probably carries something other than money', { amountUnits: 546n }],
])('a coin that is %s is not spent', (_, more) => {
  expect(codec.select(intentOf(400n), [coin(0, 100_000n, more)], RATE)).toBe('InsufficientFunds');
});

test('unconfirmed change of our own and mature rewards are spent', () => {
  expect(chosen(50_000n, [coin(0, 100_000n, { confirmations: 0, isOwnChange: true })]).coins).toHaveLength(1);
  expect(chosen(50_000n, [coin(0, 100_000n, { isCoinbase: true, confirmations: 100 })]).coins).toHaveLength(1);
});

test('a payment is refused if the balance is too low, the amount is dust, or it needs too many coins for one transaction', () => {
  expect(codec.select(intentOf(99_900n), [coin(0, 100_000n)], RATE)).toBe('InsufficientFunds');
  expect(codec.select(intentOf(293n), [coin(0, 100_000n)], RATE)).toBe('Dust');
  const small = Array.from({ length: 400 }, (_, index) => coin(index, 1_000n));
  expect(codec.select(intentOf(300_000n), small, RATE)).toBe('TooManyCoins');
});

test('a replacement spends the coins that it must share (its anchor), and pays the replaced fee plus its own fee (BIP125)', () => {
  const anchor = [coin(7, 60_000n)];
  const fees = { ...RATE, replacedFeeUnits: 5_000n };
  const selection = codec.select(intentOf(50_000n), [coin(0, 100_000n), ...anchor], fees, { anchor });
  expect(selection).toMatchObject({ coins: anchor, feeUnits: 5_141n, changeUnits: 4_859n });
  const home = codec.select({ ...intentOf(0n), to: from }, [], fees, { anchor });
  expect(home).toMatchObject({ coins: anchor, feeUnits: 5_110n, changeUnits: 54_890n });
});

test('a selection from 10,000 coins takes only a moment', () => {
  const coins = Array.from({ length: 10_000 }, (_, index) => coin(index, 1_000n + BigInt((index * 7_919) % 100_003)));
  chosen(500_000n, coins);
  const started = performance.now();
  const { coins: picked, changeUnits, feeUnits } = chosen(5_000_000n, coins);
  const took = performance.now() - started;
  // The selection takes 20 to 50 ms on an idle machine. A library call for every coin would take seconds.
  expect(took).toBeLessThan(5_000);
  expect(picked.reduce((sum, { amountUnits }) => sum + amountUnits, 0n)).toBe(5_000_000n + changeUnits + feeUnits);
});
