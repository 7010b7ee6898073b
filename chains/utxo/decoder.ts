import { Unreadable } from './decoder-bytes';
import { digestsIn, isWholeHashType } from './decoder-digests';
import { effectIn } from './decoder-effect';
import { digestOfMessage } from './decoder-message';
import { type Psbt, readPsbt } from './decoder-psbt';
import { addressOfScript, isTaprootScript, scriptOfKey } from './decoder-scripts';
import { readAnyTransaction } from './decoder-transaction';
import type { DecodedPsbt, UtxoDecoder, UtxoNetwork } from './types';

const unreadable = (reason: string): DecodedPsbt => ({ inputs: [], outputs: [], feeUnits: 0n, opaque: [reason] });
const total = (parts: readonly { readonly amountUnits: bigint }[]) => parts.reduce((sum, part) => sum + part.amountUnits, 0n);

function decode(network: UtxoNetwork, { tx, spent, hashTypes }: Psbt): DecodedPsbt {
  const opaque: string[] = [];
  const isWhole = spent.every(({ script }, index) => isWholeHashType(network, script, hashTypes[index]));
  if (!isWhole) opaque.push('hash type');
  if (tx.version !== 1 && tx.version !== 2) opaque.push('version');
  const feeUnits = total(spent) - total(tx.outputs);
  if (feeUnits < 0n) opaque.push('outputs above inputs');
  const inputs = tx.inputs.map(({ txid, vout }, index) => {
    const { amountUnits = 0n, script = Buffer.alloc(0), isProved = false } = spent[index] ?? {};
    const scriptHex = script.toString('hex');
    // A Taproot signature covers the amounts of all inputs, so a single false amount makes the signature invalid.
    const isVouched = isProved || isTaprootScript(script);
    return { txid, vout, amountUnits, scriptHex, address: addressOfScript(network, script), isProved: isVouched };
  });
  const outputs = tx.outputs.map(({ script, amountUnits }) => ({
    address: addressOfScript(network, script),
    scriptHex: script.toString('hex'),
    amountUnits,
  }));
  return { inputs, outputs, feeUnits, opaque };
}

function addressOf(network: UtxoNetwork, publicKeyHex: string): string {
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const scripts = network.forms.flatMap((form) => scriptOfKey(form, publicKey) ?? []);
  const address = scripts[0] && addressOfScript(network, scripts[0]);
  if (address === undefined) throw new Unreadable('such a key has no address on this network');
  return address;
}

/** True for bytes that begin like a PSBT, and for a transaction that nodes of this family can read. */
export function isUtxoTransaction(bytesHex: string): boolean {
  const bytes = Buffer.from(bytesHex.replace(/^0x/, ''), 'hex');
  if (bytes.subarray(0, 5).toString('latin1') === 'psbt\xff') return true;
  try {
    const { inputs, outputs } = readAnyTransaction(bytes);
    return inputs.length > 0 && outputs.length > 0;
  } catch {
    return false;
  }
}

/** The decoder shares nothing with the code that builds the bytes. */
export function createUtxoDecoder(network: UtxoNetwork): UtxoDecoder {
  return {
    family: 'utxo',
    addressOf: (publicKeyHex) => addressOf(network, publicKeyHex),
    decode(psbtHex) {
      try {
        return decode(network, readPsbt(psbtHex));
      } catch {
        return unreadable('bytes');
      }
    },
    digestsOf: (psbtHex, publicKeyHex) => digestsIn(network, readPsbt(psbtHex), publicKeyHex),
    effectOf: (psbtHex, owner) => effectIn(network, readPsbt(psbtHex), owner),
    messageDigestOf: (messageHex, publicKeyHex) => digestOfMessage(network, messageHex, publicKeyHex),
  };
}
