import type { EncryptedAmount } from '../../domain/transfers';

/** An amount to encrypt for one sender in one contract on one chain. The proof is useless to anyone else. */
export type AmountToEncrypt = {
  /** Our id. A repeated request with the same id gets the same result, so that an amount has only one ciphertext. */
  readonly id: string;
  readonly chainId: number;
  readonly contract: string;
  readonly sender: string;
  /** 64 bits, in the smallest unit of the token. */
  readonly amountUnits: bigint;
};

/**
 * `Pending`: not finished; a repeated request continues it. `Refused`: the service will never encrypt this amount. Throws
 * `VendorError`.
 */
export type EncryptAmount = (amount: AmountToEncrypt) => Promise<EncryptedAmount | 'Pending' | 'Refused'>;
