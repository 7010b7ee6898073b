import { utxoCodecOf } from '../../chains/codecs';
import { isOfFamily } from '../../chains/families';
import type { Network } from '../../chains/types';
import { invariant } from '../../domain/errors';
import type { KeyForm } from '../../domain/keys';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { badField } from '../request-faults';
import type { Prepared } from './payloads';

/** The prefix 0x of hexadecimal digits is optional. */
export type CoinBody =
  | { readonly kind: 'Psbt'; readonly psbt: string }
  | { readonly kind: 'Bip322'; readonly message: string; readonly format?: 'Simple' | 'Full' | undefined };

type Asked = { readonly kind: string; readonly network?: string | undefined; readonly blockchainKind?: string | undefined };

export const COIN_KINDS: readonly string[] = ['Psbt', 'Bip322'] satisfies readonly CoinBody['kind'][];

/**
 * The bytes of a PSBT or of a BIP322 message contain no network, so the request must specify the network (S1). Every fault is a
 * 400 with the path of the faulty member.
 */
export function assertCoinKind(
  { kind, network: name, blockchainKind }: Asked,
  key: KeyForm,
  network: Network | undefined,
): Network {
  const isCoinKey = key.curve === 'secp256k1' && (key.scheme === 'ECDSA' || key.scheme === 'Schnorr');
  if (!isCoinKey) throw badField('kind', 'needs a key of ECDSA or Schnorr on secp256k1');
  if (name === undefined) throw badField('network', `is required for ${kind}`);
  if (!network || !isOfFamily('utxo', network)) throw badField('network', 'must be one of the Bitcoin family');
  if (key.scheme === 'Schnorr' && !network.forms.includes('P2TR')) throw badField('network', 'needs a key of ECDSA on secp256k1');
  const meant = network.digest === 'ForkId' ? 'BitcoinCash' : 'Bitcoin';
  if (blockchainKind !== undefined && blockchainKind !== meant) throw badField('blockchainKind', `must be ${meant} for ${name}`);
  return network;
}

const publicKeyOf = ({ publicKey }: KeyEntity): string => {
  invariant(publicKey, 'a key that signs has its public key');
  return publicKey;
};

/** Once the PSBT is signed, its coins that belong to the key are claimed, as if the transaction were sent at once (S12). */
export function preparePsbt(key: KeyEntity, psbt: string, network: Network | undefined): Prepared {
  invariant(network && isOfFamily('utxo', network), 'the network was checked before');
  const { psbtHex, address, amountUnits, feeUnits } = utxoCodecOf(network.name).readPsbt(psbt, publicKeyOf(key), 'body.psbt');
  if (feeUnits > network.feeCeilingUnits)
    throw badField('psbt', `costs ${feeUnits}, more than the highest fee of ${network.feeCeilingUnits} on ${network.name}`);
  return {
    payload: { kind: 'Psbt', network: network.name, bytesHex: psbtHex },
    claim: {
      network: network.name,
      address,
      nonce: null,
      nativeUnits: (amountUnits + feeUnits).toString(),
      contract: null,
      tokenUnits: '0',
    },
  };
}

/** Only networks with witness addresses have BIP322 proofs. */
export function prepareProof(
  { format = 'Simple' }: Extract<CoinBody, { kind: 'Bip322' }>,
  messageHex: string,
  network: Network | undefined,
): Prepared {
  invariant(network && isOfFamily('utxo', network), 'the network was checked before');
  if (!utxoCodecOf(network.name).signsMessages)
    throw badField('network', 'has no addresses with a witness, which BIP322 requires');
  return { payload: { kind: 'Bip322', network: network.name, messageHex, format }, claim: null };
}
