import { utxoDecoderOf } from '../../chains/decoders';
import { invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { coinClaim } from '../../entities/outgoing/coin.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { NewClaim } from '../outgoing/family-forms';
import { nonceOfSignature } from './evm/claims';
import { payloadToSign } from './evm/filling';
import { noncesOfSignature } from './solana-claims';

/**
 * The claims of a transaction that the service signs but does not send. No other request may use the claims, because the caller
 * may send the transaction at any time (S12).
 */
export async function claimsOfSignature(reader: Reader, row: SignatureEntity): Promise<readonly NewClaim[]> {
  const { fromAddress } = row;
  const payload = payloadToSign(row);
  if (payload.kind === 'Psbt') {
    const { address, coins } = utxoDecoderOf(payload.network).effectOf(payload.bytesHex, {
      publicKeyHex: await publicKeyOfRequest(reader, row),
    });
    return coins.map((coin) => coinClaim(address, coin));
  }
  if (payload.kind === 'SolanaTransaction') return fromAddress === null ? [] : noncesOfSignature(payload, fromAddress);
  return nonceOfSignature(row, payload);
}

/** The public key is kept after the key is deleted. */
export async function publicKeyOfRequest(reader: Reader, { keyId }: Pick<SignatureEntity, 'keyId'>): Promise<string> {
  const key = await keyStore.find(reader, keyId);
  invariant(key?.publicKey, 'a key that signs has its public key');
  return key.publicKey;
}

export const claimWords = ({ kind, key, value }: NewClaim): string => {
  if (kind === 'nonce') return `The nonce ${value}`;
  if (kind === 'keyed-nonce') return `The nonce ${key.split(':')[2]} of the lane ${key.split(':')[1]}`;
  return kind === 'utxo' ? `The coin ${key}` : `The durable nonce ${key}`;
};
