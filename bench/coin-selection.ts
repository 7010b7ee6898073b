import { utxoCodecOf } from '../chains/codecs';
import type { Coin } from '../chains/utxo/types';
import type { Figure } from './bench';
import { median } from './percentiles';

const NETWORK = 'BitcoinSignet';
const COINS = 10_000;
const ROUNDS = 9;
const RATE = { milliUnitsPerVbyte: 1_500n };
const AIM_MS = 50;
/** The public key for the secret key 1, which is the generator of the curve. */
const PUBLIC_KEY_HEX = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
/**
 * In smallest units. `few` needs a few coins, `many` needs hundreds, and `too many` needs more than one transaction can spend.
 */
const AMOUNTS = { few: 250_000n, many: 5_000_000n, 'too many': 40_000_000n } as const;

/** Measures the coin selection for a wallet with as many coins as a shop receives in a year. */
export function coinSelection(): readonly Figure[] {
  const codec = utxoCodecOf(NETWORK);
  const own = codec.addressOf(PUBLIC_KEY_HEX, 'P2WPKH');
  const to = codec.addressOf(PUBLIC_KEY_HEX, 'P2PKH');
  const scriptHex = codec.scriptOf(own);
  const coins = Array.from(
    { length: COINS },
    (_, index): Coin => ({
      txid: index.toString(16).padStart(64, '0'),
      vout: 0,
      amountUnits: 1_000n + BigInt((index * 7_919) % 100_003),
      scriptHex,
      confirmations: 6,
      isCoinbase: false,
      isOwnChange: false,
    }),
  );
  return Object.entries(AMOUNTS).map(([name, amountUnits]) => {
    const intent = { network: NETWORK, from: own, to, amountUnits, publicKeyHex: PUBLIC_KEY_HEX } as const;
    const choose = () => codec.select(intent, coins, RATE);
    const chosen = choose();
    const samples = Array.from({ length: ROUNDS }, () => {
      const started = performance.now();
      choose();
      return performance.now() - started;
    });
    const note = typeof chosen === 'string' ? chosen : `${chosen.coins.length} inputs`;
    return {
      name: `choosing among ${COINS} coins, ${name} needed`,
      value: median(samples),
      unit: 'ms',
      aim: { atMost: AIM_MS },
      note,
    };
  });
}
