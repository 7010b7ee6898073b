import { solanaDecoderOf } from '../../chains/decoders';
import type { SignaturePayload } from '../../domain/signatures';
import type { NewClaim } from '../outgoing/family-forms';
import { nonceKeyOf } from '../outgoing/solana/quote';

/** Claims the durable nonce only if the signing wallet owns the nonce. */
export function noncesOfSignature(
  { network, bytesHex }: Extract<SignaturePayload, { kind: 'SolanaTransaction' }>,
  signer: string,
): readonly NewClaim[] {
  const { lifetime } = solanaDecoderOf(network).decode(bytesHex);
  if (lifetime.kind === 'blockhash' || lifetime.authority !== signer) return [];
  return [{ kind: 'durable-nonce', key: nonceKeyOf(lifetime), lane: signer, value: null }];
}
