import type { DecodedCall } from '../../../chains/evm/types';
import type { SignTransferOrder } from '../../protocol';

/**
 * The signing log's name for a nonce. An account may have further nonce sequences, each with a key. For a nonce of a further
 * sequence, the name contains this key before the nonce.
 */
export const loggedNonce = (
  network: string,
  sender: string,
  { nonce, nonceKey = 0n }: { readonly nonce: number | bigint } & Pick<DecodedCall, 'nonceKey'>,
): string => `${network} ${sender.toLowerCase()} ${nonceKey === 0n ? nonce : `${nonceKey}:${nonce}`}`;

/** The nonce that an order names, and the key of the nonce's sequence. Key 0 means the account's own sequence. */
export const nonceOfOrder = ({ nonce, nonceKey }: Pick<SignTransferOrder, 'nonce' | 'nonceKey'>) => ({
  nonce,
  nonceKey: BigInt(nonceKey ?? 0),
});
