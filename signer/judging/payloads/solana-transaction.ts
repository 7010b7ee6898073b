import { createHash } from 'node:crypto';
import { solanaDecoderOf } from '../../../chains/decoders';
import { refuseUnless } from '../../wire/refusal';
import { durableClaim } from '../judge-solana';
import { requireNetwork } from '../require-network';
import type { SigningPayload } from '../signing-payload';
import type { JudgedPayload } from './judge-payload';

/**
 * Judges a transaction that another party sends. The other party may also pay the fee and add signatures. The key must be one of
 * the signers. The transaction must not contain an instruction that the signer always refuses. Policies judge the other effects.
 */
export function judgeSolanaTransaction(
  { network: name, bytesHex }: Extract<SigningPayload, { kind: 'SolanaTransaction' }>,
  publicKeyHex: string,
): JudgedPayload {
  const network = requireNetwork('solana', name);
  const decoder = solanaDecoderOf(network.name);
  refuseUnless(decoder.refused(bytesHex).length === 0, 'BytesNotUnderstood');
  const { signers, lifetime, maxFeeUnits } = decoder.decode(bytesHex);
  const own = decoder.addressOf(publicKeyHex);
  refuseUnless(signers.includes(own), 'SenderMismatch');
  refuseUnless(maxFeeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const message = Buffer.from(bytesHex.slice(2), 'hex');
  return {
    message,
    digestHex: `0x${createHash('sha256').update(message).digest('hex')}`,
    // Claims a nonce only if this key is the nonce's authority. One transaction with another party's nonce may need several of
    // our keys. After a claim by the first key, the signer would refuse to sign with the other keys.
    taken: {
      network: network.name,
      claims: lifetime.kind !== 'blockhash' && lifetime.authority === own ? [durableClaim(network.name, lifetime)] : [],
    },
  };
}
