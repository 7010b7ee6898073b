import { secp256k1 } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer';
import { utxoCodecOf } from '../../../chains/codecs';
import type { NetworkName } from '../../../domain/networks';
import { fundedCoins, SECRET } from './coins';

const OTHER_PUBLIC_KEY = Buffer.from(secp256k1.getPublicKey(SECRET)).toString('hex');
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
export const LENIENT = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true } as const;

type Wanted = {
  /** The amounts of the coins. Different amounts give a different previous transaction. */
  readonly coins?: readonly bigint[];
  readonly pay?: readonly (readonly [to: string, units: bigint])[];
  /** Adds a coin that belongs to another key, signed or not. */
  readonly other?: 'signed' | 'unsigned';
  /** Whether the PSBT contains the previous transactions. The default is true. */
  readonly isProved?: boolean;
  /** Changes the PSBT before it is written. */
  readonly change?: (tx: Transaction) => void;
};

/** A PSBT as an external wallet creates it, with invented coins of this key. The fee is 500 units, and the rest is change. */
export function psbtFor(network: NetworkName, publicKeyHex: string, wanted: Wanted = {}): string {
  const { coins: amounts = [50_000n], pay = [[payee(network), 20_000n]], other, change, isProved = true } = wanted;
  const codec = utxoCodecOf(network);
  const isTaproot = publicKeyHex.length === 64;
  const { coins, rawHex, address } = fundedCoins(network, publicKeyHex, undefined, amounts);
  const tx = new Transaction({ ...LENIENT, version: 2, PSBTVersion: 0 });
  for (const { txid, vout, amountUnits, scriptHex } of coins)
    tx.addInput({
      txid,
      index: vout,
      witnessUtxo: { amount: amountUnits, script: bytesOf(scriptHex) },
      ...(isTaproot ? { tapInternalKey: bytesOf(publicKeyHex) } : {}),
      ...(isProved && !isTaproot ? { nonWitnessUtxo: bytesOf(rawHex) } : {}),
    });
  const foreign = fundedCoins(network, OTHER_PUBLIC_KEY, undefined, [7_000n]);
  const [coin] = foreign.coins;
  if (other && coin)
    tx.addInput({
      txid: coin.txid,
      index: coin.vout,
      nonWitnessUtxo: bytesOf(foreign.rawHex),
      witnessUtxo: { amount: coin.amountUnits, script: bytesOf(coin.scriptHex) },
    });
  for (const [to, amount] of pay) tx.addOutput({ script: bytesOf(codec.scriptOf(to)), amount });
  const spent = amounts.reduce((sum, amount) => sum + amount, 0n) + (other ? 7_000n : 0n);
  const paid = pay.reduce((sum, [, amount]) => sum + amount, 0n);
  tx.addOutput({ script: bytesOf(codec.scriptOf(address)), amount: spent - paid - 500n });
  if (other === 'signed') tx.signIdx(SECRET, amounts.length);
  change?.(tx);
  return `0x${Buffer.from(tx.toPSBT(0)).toString('hex')}`;
}

/** An address of another key. */
export const payee = (network: NetworkName): string =>
  utxoCodecOf(network).addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
