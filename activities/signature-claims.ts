import { solanaDecoderOf } from '../chains/decoders';
import type { SignatureEntity } from '../entities/signatures/signature.entity';
import { nonceClaim } from '../entities/transfers/lane.store';
import type { NewClaim } from './families';
import { nonceKeyOf } from './solana/quote';

/** What a transaction that is only signed here uses up: nobody can tell whether and when it is sent, so nothing else may use it from then on (S12). */
export function claimsOfSignature({ fromAddress, nonce, payload }: SignatureEntity): readonly NewClaim[] {
  if (payload.kind === 'SolanaTransaction') {
    const { lifetime } = solanaDecoderOf(payload.network).decode(payload.bytesHex);
    // The nonce of somebody else's account is not ours to use up.
    if (fromAddress === null || lifetime.kind === 'blockhash' || lifetime.authority !== fromAddress) return [];
    return [{ kind: 'durable-nonce', key: nonceKeyOf(lifetime), lane: fromAddress, value: null }];
  }
  if (fromAddress === null || nonce === null) return [];
  return [nonceClaim(fromAddress, nonce)];
}

/** As the reason of a request that came too late says it. */
export const wordsOf = ({ kind, key, value }: NewClaim): string => {
  if (kind === 'nonce') return `The nonce ${value}`;
  return kind === 'utxo' ? `The coin ${key}` : `The durable nonce ${key}`;
};
