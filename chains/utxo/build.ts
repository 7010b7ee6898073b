import { sha256 } from '@noble/hashes/sha2.js';
import { Transaction } from '@scure/btc-signer';
import { AppError, invariant } from '../../domain/errors';
import { PSBT_BYTES_MAX } from '../../domain/transfers';
import type { UnsignedBytes } from '../types';
import { fromHex, scriptOf, toHex } from './addresses';
import { parentTransaction } from './parent-transaction';
import { ownPayment } from './selection';
import type { Coin, Selection, UtxoIntent, UtxoNetwork } from './types';

/**
 * `REPLACEABLE` signals that the transaction may be replaced (BIP125), and `FINAL` signals the opposite. Without a lock time,
 * neither number delays the transaction.
 */
const REPLACEABLE = 0xfffffffd;
const FINAL = 0xffffffff;

/** With these options the library accepts previous transactions with unknown scripts and versions. */
export const LENIENT = {
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowUnknownVersion: true,
  disableScriptCheck: true,
  allowLegacyWitnessUtxo: true,
  unknown: 'ignore',
} as const;

export function buildTransaction(
  network: UtxoNetwork,
  intent: UtxoIntent,
  { coins, changeUnits, feeUnits }: Selection,
  previous: ReadonlyMap<string, string>,
): UnsignedBytes {
  const own = ownPayment(network, intent);
  invariant(intent.network === network.name && own, 'the intent is for this network and key');
  const total = coins.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  invariant(coins.length > 0 && total === intent.amountUnits + changeUnits + feeUnits, 'inputs equal outputs plus fee');

  const tx = new Transaction({ ...LENIENT, version: 2, PSBTVersion: 0 });
  for (const { txid, vout, amountUnits } of coins) {
    const { script } = own.payment;
    tx.addInput({
      txid,
      index: vout,
      sequence: network.replaceable ? REPLACEABLE : FINAL,
      ...(own.form === 'P2TR' ? {} : { nonWitnessUtxo: parentTransaction(txid, previous.get(txid)) }),
      ...(own.form === 'P2PKH' ? {} : { witnessUtxo: { amount: amountUnits, script } }),
      ...(own.payment.redeemScript ? { redeemScript: own.payment.redeemScript } : {}),
      ...(own.form === 'P2TR' ? { tapInternalKey: fromHex(intent.publicKeyHex) } : {}),
    });
  }
  if (intent.amountUnits > 0n) tx.addOutput({ script: scriptOf(network, intent.to), amount: intent.amountUnits });
  if (changeUnits > 0n) tx.addOutput({ script: own.payment.script, amount: changeUnits });
  const bytes = tx.toPSBT(0);
  if (bytes.length > PSBT_BYTES_MAX)
    throw new AppError('TransferWouldFail', 'The transactions from which the coins come are too large for one transfer');
  return { bytesHex: `0x${toHex(bytes)}`, digestHex: `0x${toHex(sha256(bytes))}`, maxFeeUnits: feeUnits };
}

/**
 * The outputs that pay the sender. `address` must be the transaction's sender, because the coins are marked as the sender's
 * change.
 */
export function coinsOf(network: UtxoNetwork, rawHex: string, address: string): readonly Coin[] {
  const tx = Transaction.fromRaw(fromHex(rawHex), LENIENT);
  const scriptHex = toHex(scriptOf(network, address));
  return Array.from({ length: tx.outputsLength }, (_, vout) => ({ vout, ...tx.getOutput(vout) })).flatMap(
    ({ vout, script, amount }) =>
      script && amount !== undefined && toHex(script) === scriptHex
        ? [{ txid: tx.id, vout, amountUnits: amount, scriptHex, confirmations: 0, isCoinbase: false, isOwnChange: true }]
        : [],
  );
}

export const vbytesOf = (rawHex: string): bigint => BigInt(Transaction.fromRaw(fromHex(rawHex), LENIENT).vsize);
