import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { OutScript, type Transaction } from '@scure/btc-signer';
import { Script } from '@scure/btc-signer/script.js';
import { paymentOf, toHex } from './addresses';
import { inputDigestOf, outputOf } from './signatures';
import type { OutputForm, UtxoNetwork } from './types';

const COMPACT_BYTES = 64;
const FORMS: Readonly<Record<string, OutputForm>> = { pkh: 'P2PKH', sh: 'P2SH-P2WPKH', wpkh: 'P2WPKH', tr: 'P2TR' };

type Unlocking = { readonly publicKey: Uint8Array; readonly signature: Uint8Array };
const isBytes = (part: unknown): part is Uint8Array => part instanceof Uint8Array;

/**
 * The public key and the signature of an input: the only partial signature, or else the first two parts of the final witness or
 * script. Undefined if the input has neither.
 */
function unlockingOf(tx: Transaction, index: number): Unlocking | undefined {
  const { partialSig, finalScriptSig, finalScriptWitness } = tx.getInput(index);
  const [first, ...more] = partialSig ?? [];
  if (first && more.length === 0) return { publicKey: first[0], signature: first[1] };
  const pushed = finalScriptSig && finalScriptSig.length > 0 ? Script.decode(finalScriptSig).filter(isBytes) : [];
  const [signature, publicKey] = finalScriptWitness && finalScriptWitness.length > 0 ? finalScriptWitness : pushed;
  return signature && publicKey ? { publicKey, signature } : undefined;
}

/**
 * True if one key has signed another party's input, and the signature is valid for exactly these bytes. An input that needs
 * several keys is treated as unsigned, because only an interpreter of scripts could check its signatures. If this function
 * accepted a false signature, no node would accept the bytes, and our own coins would stay claimed for ever.
 */
export function isSignedByOther(network: UtxoNetwork, tx: Transaction, index: number): boolean {
  const output = outputOf(tx, index);
  const form = FORMS[OutScript.decode(output.script).type];
  if (form === undefined || !network.forms.includes(form)) return false;
  const { tapKeySig, finalScriptWitness, sighashType = network.digest === 'ForkId' ? 0x41 : 0x01 } = tx.getInput(index);
  try {
    if (form === 'P2TR') {
      const signature = tapKeySig ?? (finalScriptWitness?.length === 1 ? finalScriptWitness[0] : undefined);
      if (!signature) return false;
      const hashType = signature.length === COMPACT_BYTES ? 0 : signature[COMPACT_BYTES];
      if (hashType !== (tx.getInput(index).sighashType ?? hashType) || (hashType !== 0 && hashType !== 1)) return false;
      const digest = inputDigestOf(network, tx, index, { form, output, payment: output }, output.script.subarray(2), hashType);
      return schnorr.verify(signature.subarray(0, COMPACT_BYTES), digest, output.script.subarray(2));
    }
    const unlocking = unlockingOf(tx, index);
    if (!unlocking || unlocking.signature.at(-1) !== sighashType) return false;
    const { publicKey, signature } = unlocking;
    const payment = paymentOf(form, publicKey);
    if (toHex(payment.script) !== toHex(output.script)) return false;
    const digest = inputDigestOf(network, tx, index, { form, output, payment }, publicKey);
    return secp256k1.verify(signature.subarray(0, -1), digest, publicKey, { prehash: false, lowS: true, format: 'der' });
  } catch {
    return false;
  }
}
