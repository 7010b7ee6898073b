import { evmDecoderOf, utxoDecoderOf } from '../../chains/decoders';
import { invariant } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { SignaturePayload } from '../../domain/signatures';
import type { Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { coinClaim } from '../../entities/outgoing/coin.store';
import { keyedNonceClaim, nonceClaim } from '../../entities/outgoing/lane.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { NewClaim } from '../outgoing/family-forms';
import { payloadToSign } from './evm/filling';
import { noncesOfSignature } from './solana-claims';

/** What a transaction that is only signed here uses up: nobody can tell whether and when it is sent, so nothing else may use it from then on (S12). */
export async function claimsOfSignature(reader: Reader, row: SignatureEntity): Promise<readonly NewClaim[]> {
  const { fromAddress, nonce } = row;
  const payload = payloadToSign(row);
  if (payload.kind === 'Psbt') {
    const { address, coins } = utxoDecoderOf(payload.network).effectOf(payload.bytesHex, {
      publicKeyHex: await publicKeyOfRequest(reader, row),
    });
    return coins.map((coin) => coinClaim(address, coin));
  }
  if (payload.kind === 'SolanaTransaction') return fromAddress === null ? [] : noncesOfSignature(payload, fromAddress);
  if (fromAddress === null || nonce === null) return [];
  const nonceKey = nonceKeyOf(payload, row.claimNetwork);
  return [nonceKey === undefined ? nonceClaim(fromAddress, nonce) : keyedNonceClaim(fromAddress, { nonceKey, nonce })];
}

/** In which lane of its sender a transaction stands that has one besides the account's own. */
const nonceKeyOf = (payload: SignaturePayload, claimNetwork: NetworkName | null): bigint | undefined =>
  payload.kind === 'EvmTransaction' && claimNetwork !== null
    ? evmDecoderOf(claimNetwork).decodeCall(payload.bytesHex).nonceKey
    : undefined;

/** Of the key of a request, which stays when the key is deleted. */
export async function publicKeyOfRequest(reader: Reader, { keyId }: Pick<SignatureEntity, 'keyId'>): Promise<string> {
  const key = await keyStore.find(reader, keyId);
  invariant(key?.publicKey, 'a key that signs has its public key');
  return key.publicKey;
}

/** As the reason of a request that came too late says it. */
export const claimWords = ({ kind, key, value }: NewClaim): string => {
  if (kind === 'nonce') return `The nonce ${value}`;
  if (kind === 'keyed-nonce') return `The nonce ${key.split(':')[2]} of the lane ${key.split(':')[1]}`;
  return kind === 'utxo' ? `The coin ${key}` : `The durable nonce ${key}`;
};
