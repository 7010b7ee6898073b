import { evmDecoderOf } from '../../../chains/decoders';
import type { NetworkName } from '../../../domain/networks';
import type { SignaturePayload } from '../../../domain/signatures';
import { keyedNonceClaim, nonceClaim } from '../../../entities/outgoing/lane.store';
import type { SignatureEntity } from '../../../entities/signatures/signature.entity';
import type { NewClaim } from '../../outgoing/family-forms';

export function nonceOfSignature(
  { fromAddress, nonce, claimNetwork }: Pick<SignatureEntity, 'fromAddress' | 'nonce' | 'claimNetwork'>,
  payload: SignaturePayload,
): readonly NewClaim[] {
  if (fromAddress === null || nonce === null) return [];
  const nonceKey = nonceKeyOf(payload, claimNetwork);
  return [nonceKey === undefined ? nonceClaim(fromAddress, nonce) : keyedNonceClaim(fromAddress, { nonceKey, nonce })];
}

/** Undefined for the account's own nonces. */
const nonceKeyOf = (payload: SignaturePayload, claimNetwork: NetworkName | null): bigint | undefined =>
  payload.kind === 'EvmTransaction' && claimNetwork !== null
    ? evmDecoderOf(claimNetwork).decodeCall(payload.bytesHex).nonceKey
    : undefined;
