import { sha256 } from '@noble/hashes/sha2.js';
import { Transaction } from '@scure/btc-signer';
import { RawTx, RawWitness, Script } from '@scure/btc-signer/script.js';
import { tagSchnorr } from '@scure/btc-signer/utils.js';
import { AppError, invariant } from '../../domain/errors';
import { addressOf, fromHex, scriptOf } from './addresses';
import { LENIENT } from './build';
import { inputDigestOf, lockedOf, provenSignature } from './signatures';
import type { MessageFormat, UtxoNetwork, UtxoSignature } from './types';

const PREFIXES: Readonly<Record<MessageFormat, string>> = { Simple: 'smp', Full: 'ful' };
const RETURN = Uint8Array.from([0x6a]);

export const signsMessages = ({ digest }: UtxoNetwork): boolean => digest === 'Segwit';

/** The transaction `to_sign` of BIP322, without a signature. */
function unsignedProof(script: Uint8Array, message: Uint8Array): Transaction {
  const coin = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: Script.encode(['OP_0', tagSchnorr('BIP0322-signed-message', message)]),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  });
  const tx = new Transaction({ ...LENIENT, version: 0, PSBTVersion: 0 });
  tx.addInput({ txid: sha256(sha256(coin)).reverse(), index: 0, sequence: 0, witnessUtxo: { amount: 0n, script } });
  tx.addOutput({ amount: 0n, script: RETURN });
  return tx;
}

/** The signature of BIP322, version 2.0.0. A prefix before the base64 distinguishes `Simple` from `Full`. */
export function proveMessage(
  network: UtxoNetwork,
  messageHex: string,
  format: MessageFormat,
  signature: UtxoSignature,
  publicKeyHex: string,
): string {
  if (!signsMessages(network)) throw new AppError('AssetNotSupported', `On ${network.name} no message is signed in this way`);
  const publicKey = fromHex(publicKeyHex);
  const tx = unsignedProof(scriptOf(network, addressOf(network, publicKeyHex)), fromHex(messageHex));
  const locked = lockedOf(network, tx, 0, publicKeyHex);
  invariant(locked, 'the message is locked to the key');
  const proven = provenSignature(network, locked, inputDigestOf(network, tx, 0, locked, publicKey), signature, publicKey);
  const witness = locked.form === 'P2TR' ? [proven] : [proven, publicKey];
  const bytes =
    format === 'Simple'
      ? RawWitness.encode(witness)
      : RawTx.encode({ ...RawTx.decode(tx.unsignedTx), segwitFlag: true, witnesses: [witness] });
  return PREFIXES[format] + Buffer.from(bytes).toString('base64');
}
