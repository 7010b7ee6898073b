import type { EncryptedAmount } from '../../domain/transfers';

/** What is to be encrypted, and for whom alone: a proof for one sender in one contract on one chain is of no use to anybody else. */
export type AmountToEncrypt = {
  /** Ours; asked again under the same one the service answers the same, so that there is one ciphertext of an amount. */
  readonly id: string;
  readonly chainId: number;
  readonly contract: string;
  readonly sender: string;
  /** 64 bits, in the smallest unit of the token. */
  readonly amountUnits: bigint;
};

/** `Pending`: it is still at work; asking again goes on where it was. `Refused`: it will never encrypt this. Throws `VendorError`. */
export type EncryptAmount = (amount: AmountToEncrypt) => Promise<EncryptedAmount | 'Pending' | 'Refused'>;
