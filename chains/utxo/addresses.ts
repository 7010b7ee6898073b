import { Address, OutScript, p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer';
import { AppError } from '../../domain/errors';
import { formatCashAddress, parseCashAddress } from './cash-address';
import type { OutputForm, UtxoNetwork } from './types';

/** For an output that pays to a script hash, `redeemScript` is the script that was hashed. */
export type Payment = { readonly script: Uint8Array; readonly redeemScript?: Uint8Array };

const COMPRESSED_KEY_BYTES = 33;
const wrong = (message: string) => new AppError('InvalidAddress', message);
export const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'));
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Parameters for @scure/btc-signer. With an empty `bech32` prefix the library does not read witness addresses. */
const paramsOf = ({ hrp = '', versions }: UtxoNetwork) => ({
  bech32: hrp,
  pubKeyHash: versions.publicKeyHash,
  scriptHash: versions.scriptHash,
  wif: 0,
});

/** Addresses of a future script version, and outputs that anyone can spend, are left out. */
const PAYABLE = ['pkh', 'sh', 'wpkh', 'wsh', 'tr'];

/** The script of an address in any notation of the network. Throws `InvalidAddress` for any other text or kind of script. */
export function scriptOf(network: UtxoNetwork, text: string): Uint8Array {
  if (network.cashPrefix !== undefined) {
    const { type, hash } = parseCashAddress(network.cashPrefix, text);
    return type === 'pkh' ? OutScript.encode({ type: 'pkh', hash }) : OutScript.encode({ type: 'sh', hash });
  }
  let destination: ReturnType<ReturnType<typeof Address>['decode']>;
  try {
    destination = Address(paramsOf(network)).decode(text);
  } catch {
    throw wrong(`This is not an address of ${network.name}, or a character was mistyped`);
  }
  if (!PAYABLE.includes(destination.type)) throw wrong('Sending to this kind of script is not supported');
  if (destination.type === 'tr' && !network.forms.includes('P2TR')) throw wrong(`${network.name} has no Taproot`);
  return OutScript.encode(destination);
}

/** Throws `InvalidAddress` for a script that has no address. */
export function addressOfScript(network: UtxoNetwork, script: Uint8Array): string {
  const read = OutScript.decode(script);
  if (network.cashPrefix !== undefined && (read.type === 'pkh' || read.type === 'sh'))
    return formatCashAddress(network.cashPrefix, { type: read.type, hash: read.hash });
  switch (read.type) {
    case 'pkh':
    case 'sh':
    case 'wpkh':
    case 'wsh':
      return Address(paramsOf(network)).encode({ type: read.type, hash: Uint8Array.from(read.hash) });
    case 'tr':
      return Address(paramsOf(network)).encode({ type: read.type, pubkey: Uint8Array.from(read.pubkey) });
    default:
      throw wrong('Sending to this kind of script is not supported');
  }
}

export const parseAddress = (network: UtxoNetwork, text: string): string => addressOfScript(network, scriptOf(network, text));

export function paymentOf(form: OutputForm, publicKey: Uint8Array): Payment {
  switch (form) {
    case 'P2PKH':
      return p2pkh(publicKey);
    case 'P2SH-P2WPKH':
      return p2sh(p2wpkh(publicKey));
    case 'P2WPKH':
      return p2wpkh(publicKey);
    case 'P2TR':
      return p2tr(publicKey);
  }
}

/** An x-only key is for Taproot (BIP86), and a compressed key is for all other forms. */
export const formsOf = (network: UtxoNetwork, publicKeyHex: string): readonly OutputForm[] =>
  network.forms.filter((form) => (form === 'P2TR') === fromHex(publicKeyHex).length < COMPRESSED_KEY_BYTES);

export function addressOf(network: UtxoNetwork, publicKeyHex: string, form?: OutputForm): string {
  const possible = formsOf(network, publicKeyHex);
  const chosen = form ?? possible[0];
  if (chosen === undefined || !possible.includes(chosen))
    throw new AppError('AssetNotSupported', `${network.name} has no address of this form for such a key`);
  return addressOfScript(network, paymentOf(chosen, fromHex(publicKeyHex)).script);
}
