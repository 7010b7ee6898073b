import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { p2pkh, Transaction } from '@scure/btc-signer';
import { RawTx, Script } from '@scure/btc-signer/script.js';
import { AppError } from '../../domain/errors';
import type { SignedTx } from '../types';
import { formsOf, fromHex, type Payment, paymentOf, toHex } from './addresses';
import { LENIENT } from './build';
import type { OutputForm, UtxoNetwork, UtxoSignature } from './types';

const ALL = 0x01;
/** SIGHASH_ALL with SIGHASH_FORKID. */
const ALL_OF_FORK = 0x41;
const DEFAULT = 0x00;

const mismatch = (what: string) => new AppError('EnvelopeMismatch', `${what} does not belong to these bytes and this key`);
const openPsbt = (psbtHex: string) => Transaction.fromPSBT(fromHex(psbtHex), LENIENT);

export type Output = { readonly script: Uint8Array; readonly amount: bigint };
export type Locked = { readonly form: OutputForm; readonly payment: Payment; readonly output: Output };

/** Throws if the PSBT does not contain the output. */
export function outputOf(tx: Transaction, index: number): Output {
  const { witnessUtxo, nonWitnessUtxo, index: vout } = tx.getInput(index);
  const output = nonWitnessUtxo && vout !== undefined ? nonWitnessUtxo.outputs[vout] : witnessUtxo;
  if (!output) throw mismatch(`Input ${index}`);
  return output;
}

/** Undefined if the input is not locked to this key alone. */
export function lockedOf(network: UtxoNetwork, tx: Transaction, index: number, publicKeyHex: string): Locked | undefined {
  const output = outputOf(tx, index);
  return formsOf(network, publicKeyHex)
    .map((form): Locked => ({ form, output, payment: paymentOf(form, fromHex(publicKeyHex)) }))
    .find(({ payment }) => toHex(payment.script) === toHex(output.script));
}

/** A caller that checks an existing Taproot signature passes the hash type of the signature as `taprootType`. */
export function inputDigestOf(
  network: UtxoNetwork,
  tx: Transaction,
  index: number,
  { form, output }: Locked,
  publicKey: Uint8Array,
  taprootType = tx.getInput(index).sighashType ?? DEFAULT,
) {
  if (form === 'P2TR') {
    const outputs = Array.from({ length: tx.inputsLength }, (_, at) => outputOf(tx, at));
    const scripts = outputs.map(({ script }) => script);
    return tx.preimageWitnessV1(
      index,
      scripts,
      taprootType,
      outputs.map(({ amount }) => amount),
    );
  }
  const { script } = p2pkh(publicKey);
  if (network.digest === 'ForkId') return tx.preimageWitnessV0(index, script, ALL_OF_FORK, output.amount);
  // The method is private only in the library's types.
  if (form === 'P2PKH') return tx['preimageLegacy'](index, script, ALL);
  return tx.preimageWitnessV0(index, script, ALL, output.amount);
}

/**
 * The signature is compact for Schnorr and DER for ECDSA. A byte with the hash type follows, unless the hash type is `DEFAULT`.
 * Throws unless the signature verifies under the key.
 */
export function provenSignature(
  network: UtxoNetwork,
  { form, output }: Locked,
  digest: Uint8Array,
  { r, s }: UtxoSignature,
  publicKey: Uint8Array,
  hashType: number = DEFAULT,
): Uint8Array {
  const compact = Uint8Array.from([...fromHex(r), ...fromHex(s)]);
  if (form === 'P2TR') {
    if (!schnorr.verify(compact, digest, output.script.subarray(2))) throw mismatch('The signature');
    return hashType === DEFAULT ? compact : Uint8Array.from([...compact, hashType]);
  }
  if (!secp256k1.verify(compact, digest, publicKey, { prehash: false, lowS: true })) throw mismatch('The signature');
  const der = secp256k1.Signature.fromBytes(compact, 'compact').toBytes('der');
  return Uint8Array.from([...der, network.digest === 'ForkId' ? ALL_OF_FORK : ALL]);
}

/** `signatures` are in the order of the inputs that are locked to the key. */
function signedPsbt(network: UtxoNetwork, psbtHex: string, signatures: readonly UtxoSignature[], publicKeyHex: string) {
  const tx = openPsbt(psbtHex);
  const publicKey = fromHex(publicKeyHex);
  const left = [...signatures];
  for (let index = 0; index < tx.inputsLength; index += 1) {
    const locked = lockedOf(network, tx, index, publicKeyHex);
    if (!locked) continue;
    const signature = left.shift();
    if (!signature) throw mismatch(`Input ${index}`);
    const digest = inputDigestOf(network, tx, index, locked, publicKey);
    const bytes = provenSignature(network, locked, digest, signature, publicKey, tx.getInput(index).sighashType);
    const { redeemScript } = locked.payment;
    const behind = redeemScript ? { redeemScript } : {};
    tx.updateInput(index, locked.form === 'P2TR' ? { tapKeySig: bytes } : { partialSig: [[publicKey, bytes]], ...behind }, true);
  }
  if (left.length > 0) throw mismatch('A signature');
  return tx;
}

/** The script and the witness that unlock the input. Throws unless the input is final or has exactly one signature. */
function unlockedOf(tx: Transaction, index: number): { readonly scriptSig: Uint8Array; readonly witness: Uint8Array[] } {
  const { tapKeySig, partialSig, redeemScript, finalScriptSig, finalScriptWitness } = tx.getInput(index);
  const none = new Uint8Array();
  if (finalScriptSig || finalScriptWitness) return { scriptSig: finalScriptSig ?? none, witness: finalScriptWitness ?? [] };
  if (tapKeySig) return { scriptSig: none, witness: [tapKeySig] };
  const [signed] = partialSig ?? [];
  if (!signed || partialSig?.length !== 1) throw mismatch(`Input ${index}`);
  const [publicKey, signature] = signed;
  const script = toHex(outputOf(tx, index).script);
  if (script === toHex(p2pkh(publicKey).script)) return { scriptSig: Script.encode([signature, publicKey]), witness: [] };
  return { scriptSig: redeemScript ? Script.encode([redeemScript]) : none, witness: [signature, publicKey] };
}

export function attach(
  network: UtxoNetwork,
  psbtHex: string,
  signatures: readonly UtxoSignature[],
  publicKeyHex: string,
): SignedTx {
  return extract(signedPsbt(network, psbtHex, signatures, publicKeyHex));
}

const isUnlocked = (tx: Transaction, index: number): boolean => {
  const { tapKeySig, partialSig, finalScriptSig, finalScriptWitness, witnessScript } = tx.getInput(index);
  const single = partialSig?.length === 1 && witnessScript === undefined;
  return tapKeySig !== undefined || finalScriptSig !== undefined || finalScriptWitness !== undefined || single;
};

/** `signed` is set if no other signature is missing. */
export function signPsbt(network: UtxoNetwork, psbtHex: string, signatures: readonly UtxoSignature[], publicKeyHex: string) {
  const tx = signedPsbt(network, psbtHex, signatures, publicKeyHex);
  const isComplete = Array.from({ length: tx.inputsLength }, (_, index) => index).every((index) => isUnlocked(tx, index));
  return { psbtHex: `0x${toHex(tx.toPSBT(0))}`, ...(isComplete ? { signed: extract(tx) } : {}) };
}

function extract(tx: Transaction): SignedTx {
  const unlocked = Array.from({ length: tx.inputsLength }, (_, index) => unlockedOf(tx, index));
  const { version, lockTime, inputs, outputs } = RawTx.decode(tx.unsignedTx);
  const signed = {
    version,
    lockTime,
    outputs,
    inputs: inputs.map((input, index) => ({ ...input, finalScriptSig: unlocked[index]?.scriptSig ?? new Uint8Array() })),
  };
  const witnesses = unlocked.map(({ witness }) => witness);
  const bare = RawTx.encode({ ...signed, segwitFlag: false });
  const hasWitness = witnesses.some((witness) => witness.length > 0);
  const raw = hasWitness ? RawTx.encode({ ...signed, segwitFlag: true, witnesses }) : bare;
  return { rawHex: toHex(raw), txHash: toHex(sha256(sha256(bare)).reverse()) };
}
