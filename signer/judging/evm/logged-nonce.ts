import type { DecodedCall } from '../../../chains/evm/types';
import type { SignTransferOrder } from '../../protocol';

/** The signing log's name for a nonce: in a lane other than the account's own count, the lane's key precedes the nonce. */
export const loggedNonce = (
  network: string,
  sender: string,
  { nonce, nonceKey = 0n }: { readonly nonce: number | bigint } & Pick<DecodedCall, 'nonceKey'>,
): string => `${network} ${sender.toLowerCase()} ${nonceKey === 0n ? nonce : `${nonceKey}:${nonce}`}`;

/** The nonce and lane that an order names; 0 is the account's own count. */
export const nonceOfOrder = ({ nonce, nonceKey }: Pick<SignTransferOrder, 'nonce' | 'nonceKey'>) => ({
  nonce,
  nonceKey: BigInt(nonceKey ?? 0),
});
