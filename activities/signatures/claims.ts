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
 * The claims of a transaction that this service signs but does not send. No other request may use these claims, because the
 * caller who receives the signature may send the transaction at any time (S12).
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

/** The public key that belongs to a request's key. The public key is kept after the key is deleted. */
export async function publicKeyOfRequest(reader: Reader, { keyId }: Pick<SignatureEntity, 'keyId'>): Promise<string> {
  const key = await keyStore.find(reader, keyId);
  invariant(key?.publicKey, 'a key that signs has its public key');
  return key.publicKey;
}

/** Returns words for a claim that another transaction has taken. The reason of the failed request contains these words. */
export const claimWords = ({ kind, key, value }: NewClaim): string => {
  if (kind === 'nonce') return `The nonce ${value}`;
  if (kind === 'keyed-nonce') return `The nonce ${key.split(':')[2]} of the lane ${key.split(':')[1]}`;
  return kind === 'utxo' ? `The coin ${key}` : `The durable nonce ${key}`;
};
