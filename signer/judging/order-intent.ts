import { z } from 'zod';
import { INPUT_PROOF_BYTES_MAX } from '../../domain/transfers';
import { Address, bytes, hex, Units, word } from '../wire/schemas';

export const OrderIntent = z.strictObject({
  from: Address,
  to: Address,
  amountUnits: Units,
  asset: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('Native') }),
    z.strictObject({ kind: z.enum(['Erc20', 'Erc7984']), contract: Address }),
    z.strictObject({ kind: z.literal('Erc721'), contract: Address, tokenId: Units }),
    z.strictObject({ kind: z.literal('Call') }),
  ]),
  /**
   * SHA-256 over the canonical JSON of the calls that the decoder reads from the bytes, without nonce and fees. Absent for a
   * plain transfer.
   */
  callDigest: hex(32).optional(),
});

/**
 * The approved amount of a confidential token (ERC-7984). `handle` names the ciphertext of the amount, and `inputProof` proves
 * this ciphertext.
 */
export const EncryptedInput = z.strictObject({ handle: word, inputProof: bytes(1, INPUT_PROOF_BYTES_MAX) });
export type EncryptedInput = z.infer<typeof EncryptedInput>;
