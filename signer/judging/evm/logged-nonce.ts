import type { DecodedCall } from '../../../chains/evm/types';
import type { SignTransferOrder } from '../../protocol';

/**
 * The signing log's name for a nonce. For a nonce outside the account's own sequence, which has key 0, the name begins with the
 * key of the nonce's sequence.
 */
export const loggedNonce = (
  network: string,
  sender: string,
  { nonce, nonceKey = 0n }: { readonly nonce: number | bigint } & Pick<DecodedCall, 'nonceKey'>,
): string => `${network} ${sender.toLowerCase()} ${nonceKey === 0n ? nonce : `${nonceKey}:${nonce}`}`;

/** Key 0 means the account's own sequence. */
export const nonceOfOrder = ({ nonce, nonceKey }: Pick<SignTransferOrder, 'nonce' | 'nonceKey'>) => ({
  nonce,
  nonceKey: BigInt(nonceKey ?? 0),
});
