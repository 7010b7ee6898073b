import { sha256 } from '@noble/hashes/sha2.js';
import { Transaction } from '@scure/btc-signer';
import { RawTx } from '@scure/btc-signer/script.js';
import { fieldFault } from '../../domain/field-faults';
import { addressOfScript, fromHex, toHex } from './addresses';
import { LENIENT } from './build';
import { isSignedByOther } from './foreign-inputs';
import { type Locked, lockedOf, outputOf } from './signatures';
import type { PsbtReading, UtxoNetwork } from './types';

const MAGIC = '70736274ff';
/** The key of the unsigned transaction, which only a PSBT of version 0 has. */
const UNSIGNED_TX = '0100';
const FINAL = 0xffffffff;
const NO_RELATIVE_LOCK = 0x80000000;
const RETURN = 0x6a;
/** With this option, the library requires the redeem script of every output that pays to a script hash. */
const STRICT = { ...LENIENT, disableScriptCheck: false } as const;

type Input = ReturnType<Transaction['getInput']>;
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** True if the input contains the whole previous transaction with the id that the input names. */
function isProved({ nonWitnessUtxo, txid }: Input): boolean {
  if (!nonWitnessUtxo || !txid) return false;
  const bytes = RawTx.encode({ ...nonWitnessUtxo, segwitFlag: false });
  return toHex(sha256(sha256(bytes)).reverse()) === toHex(txid);
}

function isWhole({ digest }: UtxoNetwork, script: Uint8Array, sighashType: number | undefined): boolean {
  if (sighashType === undefined || sighashType === (digest === 'ForkId' ? 0x41 : 0x01)) return true;
  return sighashType === 0 && digest === 'Segwit' && script.length === 34 && script[0] === 0x51;
}

const isSigned = ({ tapKeySig, tapScriptSig, partialSig, finalScriptSig, finalScriptWitness }: Input): boolean =>
  [tapKeySig, tapScriptSig, partialSig, finalScriptSig, finalScriptWitness].some((part) => part !== undefined && part.length > 0);

function addressIfAny(network: UtxoNetwork, script: Uint8Array): string | undefined {
  try {
    return addressOfScript(network, script);
  } catch {
    return undefined;
  }
}

/** Throws `InvalidRequest` with this path if the key must not sign the PSBT. */
export function readPsbt(network: UtxoNetwork, text: string, publicKeyHex: string, path: string): PsbtReading {
  const fault = (message: string) => fieldFault(path, message);
  const hex = text.replace(/^0x/, '').toLowerCase();
  if (!hex.startsWith(MAGIC)) throw fault('is not a PSBT');
  if (!hex.startsWith(UNSIGNED_TX, MAGIC.length)) throw fault('must be of version 0 (BIP174) and begin with its transaction');
  let tx: Transaction;
  try {
    tx = Transaction.fromPSBT(fromHex(hex), STRICT);
  } catch (error) {
    throw fault(`cannot be read: ${error instanceof Error ? error.message : 'it ends too early'}`);
  }
  if (tx.inputsLength === 0 || tx.outputsLength === 0) throw fault('has no inputs or no outputs');
  const raw = RawTx.decode(tx.unsignedTx);
  if (raw.version !== 1 && raw.version !== 2) throw fault('must have a transaction of version 1 or 2');

  const inputs = raw.inputs.map(({ txid, index: vout, sequence }, index) => {
    const told = tx.getInput(index);
    if (!told.witnessUtxo && !told.nonWitnessUtxo) throw fault(`does not contain what input ${index} spends`);
    const { amount, script } = outputOf(tx, index);
    if (told.nonWitnessUtxo && !isProved(told))
      throw fault(`has a previous transaction other than the one that input ${index} names`);
    if (!isWhole(network, script, told.sighashType)) throw fault(`requests a hash type other than ALL at input ${index}`);
    const locked = lockedOf(network, tx, index, publicKeyHex);
    return { index, txid: toHex(txid), vout, sequence, told, amountUnits: amount, scriptHex: toHex(script), locked };
  });
  if (new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`)).size < inputs.length) throw fault('spends a coin twice');
  const own = inputs.filter(
    (input): input is (typeof inputs)[number] & { readonly locked: Locked } => input.locked !== undefined,
  );
  const [first] = own;
  if (!first) throw fault('spends no coin that is locked only to this key');
  for (const { index, told, locked } of own) {
    if (isSigned(told)) throw fault(`already has a signature for input ${index}`);
    if (locked.form !== 'P2TR' && !isProved(told))
      throw fault(`proves no amount for input ${index}: add the previous transaction (non_witness_utxo)`);
  }

  const scripts = own.map(({ scriptHex }) => scriptHex);
  const outputs = raw.outputs.map(({ script, amount }) => ({ script, amount, isOwn: scripts.includes(toHex(script)) }));
  const paid = outputs.filter(({ script, amount, isOwn }) => !isOwn && !(amount === 0n && script[0] === RETURN));
  const addresses = paid.map(({ script }) => addressIfAny(network, script));
  const known = addresses.flatMap((address) => address ?? []);
  const feeUnits = total(inputs.map(({ amountUnits }) => amountUnits)) - total(outputs.map(({ amount }) => amount));
  if (feeUnits < 0n) throw fault('pays out more than it spends');
  const address = addressOfScript(network, fromHex(first.scriptHex));
  const back = total(outputs.flatMap(({ amount, isOwn }) => (isOwn ? [amount] : [])));
  const gone =
    own.length === inputs.length
      ? total(paid.map(({ amount }) => amount))
      : total(own.map(({ amountUnits }) => amountUnits)) - back;
  return {
    psbtHex: `0x${hex}`,
    address,
    coins: own.map(({ txid, vout, amountUnits }) => ({ txid, vout, amountUnits })),
    recipients: known.length < paid.length ? [] : [...new Set(known.length === 0 ? [address] : known)],
    amountUnits: gone > 0n ? gone : 0n,
    isSigned: false,
    inputs: inputs.map(({ txid, vout, amountUnits, scriptHex }) => ({ txid, vout, amountUnits, scriptHex })),
    feeUnits,
    vbytesMin: BigInt(tx.unsignedTx.length),
    lockTime: inputs.every(({ sequence }) => sequence === FINAL) ? 0 : raw.lockTime,
    hasRelativeLock: raw.version === 2 && inputs.some(({ sequence }) => sequence < NO_RELATIVE_LOCK),
    othersSigned: inputs.every(({ locked, index }) => locked !== undefined || isSignedByOther(network, tx, index)),
  };
}
