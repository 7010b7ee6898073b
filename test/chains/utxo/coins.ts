import { createHash } from 'node:crypto';
import { RawTx } from '@scure/btc-signer/script.js';
import { utxoCodecOf } from '../../../chains/codecs';
import type { Coin, OutputForm } from '../../../chains/utxo/types';
import type { NetworkName } from '../../../domain/networks';

/** The secret 32 × 0x01, its compressed public key, and only the x coordinate. */
export const SECRET = new Uint8Array(32).fill(1);
export const COMPRESSED = '031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f';
export const X_ONLY = COMPRESSED.slice(2);

const BLANK = new Uint8Array(32).fill(7);
const twice = (bytes: Uint8Array) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
const txidOf = (rawHex: string) => twice(Buffer.from(rawHex, 'hex')).reverse().toString('hex');
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** A transaction that pays these amounts to an address of the key, and its outputs as coins. */
export function fundedCoins(
  network: NetworkName,
  publicKeyHex: string,
  form: OutputForm | undefined,
  amounts: readonly bigint[],
) {
  const codec = utxoCodecOf(network);
  const address = codec.addressOf(publicKeyHex, form);
  const scriptHex = codec.scriptOf(address);
  const rawHex = Buffer.from(
    RawTx.encode({
      version: 2,
      segwitFlag: false,
      inputs: [{ txid: BLANK, index: 0, finalScriptSig: new Uint8Array([0x51]), sequence: 0xffffffff }],
      outputs: amounts.map((amount) => ({ amount, script: bytesOf(scriptHex) })),
      lockTime: 0,
    }),
  ).toString('hex');
  const txid = txidOf(rawHex);
  const coins = amounts.map(
    (amountUnits, vout): Coin => ({
      txid,
      vout,
      amountUnits,
      scriptHex,
      confirmations: 6,
      isCoinbase: false,
      isOwnChange: false,
    }),
  );
  return { address, coins, rawHex, txid, previous: new Map([[txid, rawHex]]) };
}
