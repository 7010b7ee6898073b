import { Unreadable } from './decoder-bytes';
import { digestsIn } from './decoder-digests';
import { scriptOfKey, taggedHash } from './decoder-scripts';
import { type DecodedTransaction, idOf } from './decoder-transaction';
import type { InputDigest, UtxoNetwork } from './types';

const NO_TXID = '0'.repeat(64);
const NO_INDEX = 0xffffffff;
const RETURN = Buffer.from([0x6a]);
const EMPTY = Buffer.alloc(0);

/** The transactions of BIP322 can never be sent, because the first transaction spends a coin that cannot exist. */
export function transactionsOfMessage(
  script: Buffer,
  message: Buffer,
): { readonly toSpend: DecodedTransaction; readonly toSign: DecodedTransaction } {
  const scriptSig = Buffer.concat([Buffer.from([0x00, 0x20]), taggedHash('BIP0322-signed-message', message)]);
  const toSpend: DecodedTransaction = {
    version: 0,
    inputs: [{ txid: NO_TXID, vout: NO_INDEX, scriptSig, sequence: 0 }],
    outputs: [{ amountUnits: 0n, script }],
    lockTime: 0,
  };
  const toSign: DecodedTransaction = {
    version: 0,
    inputs: [{ txid: idOf(toSpend), vout: 0, scriptSig: EMPTY, sequence: 0 }],
    outputs: [{ amountUnits: 0n, script: RETURN }],
    lockTime: 0,
  };
  return { toSpend, toSign };
}

/** The proof is for the address that a new wallet of the key gets. Throws `Unreadable` if that address has no witness. */
export function digestOfMessage(network: UtxoNetwork, messageHex: string, publicKeyHex: string): InputDigest {
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const [script] = network.forms.flatMap((form) => scriptOfKey(form, publicKey) ?? []);
  if (network.digest !== 'Segwit' || !script) throw new Unreadable('this key signs no messages (BIP322) on this network');
  const { toSign } = transactionsOfMessage(script, Buffer.from(messageHex.slice(2), 'hex'));
  const spent = [{ amountUnits: 0n, script, isProved: true }];
  const [digest] = digestsIn(network, { tx: toSign, spent, hashTypes: [undefined] }, publicKeyHex);
  if (!digest) throw new Unreadable('this key signs no messages (BIP322) on this network');
  return digest;
}
