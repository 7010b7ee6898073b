import type { DecodedCall } from '../../../chains/evm/types';
import type { JudgedOrders } from '../judged-orders';

/**
 * The name of a nonce in the signing log. The account's own sequence of nonces has key 0. For any other sequence, the name
 * contains the sequence's key before the nonce.
 */
export const loggedNonce = (
  network: string,
  sender: string,
  { nonce, nonceKey = 0n }: { readonly nonce: number | bigint } & Pick<DecodedCall, 'nonceKey'>,
): string => `${network} ${sender.toLowerCase()} ${nonceKey === 0n ? nonce : `${nonceKey}:${nonce}`}`;

/** Key 0 means the account's own sequence. */
export const nonceOfOrder = ({ nonce, nonceKey }: Pick<JudgedOrders['signTransfer'], 'nonce' | 'nonceKey'>) => ({
  nonce,
  nonceKey: BigInt(nonceKey ?? 0),
});
