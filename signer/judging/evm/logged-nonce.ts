import type { DecodedCall } from '../../../chains/evm/types';
import type { SignTransferOrder } from '../../protocol';

/**
 * The signing log's name for a nonce. For a further nonce sequence of the account, the name contains the key of the sequence
 * before the nonce.
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
