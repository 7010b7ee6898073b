import { solanaDecoderOf } from '../../chains/decoders';
import type { SignaturePayload } from '../../domain/signatures';
import type { NewClaim } from '../outgoing/family-forms';
import { nonceKeyOf } from '../outgoing/solana/quote';

/**
 * The durable nonce that a transaction advances, if the signing wallet owns this nonce. Nonces of other owners are not claimed.
 */
export function noncesOfSignature(
  { network, bytesHex }: Extract<SignaturePayload, { kind: 'SolanaTransaction' }>,
  signer: string,
): readonly NewClaim[] {
  const { lifetime } = solanaDecoderOf(network).decode(bytesHex);
  if (lifetime.kind === 'blockhash' || lifetime.authority !== signer) return [];
  return [{ kind: 'durable-nonce', key: nonceKeyOf(lifetime), lane: signer, value: null }];
}
