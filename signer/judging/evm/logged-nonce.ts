import type { DecodedCall } from '../../../chains/evm/types';
import type { SignTransferOrder } from '../../protocol';

/** The signing log's name for a nonce. Outside the account's own nonce sequence, the lane's key precedes the nonce. */
export const loggedNonce = (
  network: string,
  sender: string,
  { nonce, nonceKey = 0n }: { readonly nonce: number | bigint } & Pick<DecodedCall, 'nonceKey'>,
): string => `${network} ${sender.toLowerCase()} ${nonceKey === 0n ? nonce : `${nonceKey}:${nonce}`}`;

/** The nonce and lane that an order names. Lane 0 is the account's own nonce sequence. */
export const nonceOfOrder = ({ nonce, nonceKey }: Pick<SignTransferOrder, 'nonce' | 'nonceKey'>) => ({
  nonce,
  nonceKey: BigInt(nonceKey ?? 0),
});
