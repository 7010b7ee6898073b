import type { SignatureEntity } from '../entities/signatures/signature.entity';
import { nonceClaim } from '../entities/transfers/lane.store';
import type { NewClaim } from './families';
import { noncesOfSignature } from './solana/signature-claims';

/** What a transaction that is only signed here uses up: nobody can tell whether and when it is sent, so nothing else may use it from then on (S12). */
export function claimsOfSignature({ fromAddress, nonce, payload }: SignatureEntity): readonly NewClaim[] {
  if (payload.kind === 'SolanaTransaction') return fromAddress === null ? [] : noncesOfSignature(payload, fromAddress);
  if (fromAddress === null || nonce === null) return [];
  return [nonceClaim(fromAddress, nonce)];
}

/** As the reason of a request that came too late says it. */
export const wordsOf = ({ kind, key, value }: NewClaim): string => {
  if (kind === 'nonce') return `The nonce ${value}`;
  return kind === 'utxo' ? `The coin ${key}` : `The durable nonce ${key}`;
};
