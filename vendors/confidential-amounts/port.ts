import type { EncryptedAmount } from '../../domain/transfers';

/** An amount to encrypt, and its only user: a proof for one sender in one contract on one chain is useless to anyone else. */
export type AmountToEncrypt = {
  /** Our id; a repeated request under the same one gets the same result, so that an amount has one ciphertext. */
  readonly id: string;
  readonly chainId: number;
  readonly contract: string;
  readonly sender: string;
  /** 64 bits, in the smallest unit of the token. */
  readonly amountUnits: bigint;
};

/** `Pending`: not finished; a repeated request continues it. `Refused`: it will never encrypt this. Throws `VendorError`. */
export type EncryptAmount = (amount: AmountToEncrypt) => Promise<EncryptedAmount | 'Pending' | 'Refused'>;
