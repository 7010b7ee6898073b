import type { EncryptedAmount } from '../../domain/transfers';

/** An amount to encrypt. The proof in the result is useless to any other sender. */
export type AmountToEncrypt = {
  /** The id of our transfer. A repeated request with this id gets the same result, so an amount has only one ciphertext. */
  readonly id: string;
  readonly chainId: number;
  readonly contract: string;
  readonly sender: string;
  /** At most 64 bits, in the smallest unit of the token. */
  readonly amountUnits: bigint;
};

/**
 * `Pending` means that the caller repeats the request later. `Refused` means that the service will never encrypt this amount.
 * Throws `VendorError` if there is no usable answer.
 */
export type EncryptAmount = (amount: AmountToEncrypt) => Promise<EncryptedAmount | 'Pending' | 'Refused'>;
