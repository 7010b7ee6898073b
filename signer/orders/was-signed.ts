import { z } from 'zod';
import type { SigningLog } from '../record/signing-log';
import { Id, word } from '../wire/schemas';

const SIGNATURES_ASKED_MAX = 500;

/**
 * An order to look up which of these signatures this signer has made, for any organisation. `s` of ECDSA is in the lower half of
 * the curve's order, as the signer makes it.
 */
export const WasSignedOrder = z.strictObject({
  orgId: Id,
  signatures: z
    .array(z.strictObject({ r: word, s: word }))
    .min(1)
    .max(SIGNATURES_ASKED_MAX),
});
export type WasSignedOrder = z.infer<typeof WasSignedOrder>;
/** The results are in the order of the signatures in the request. */
export const WereSigned = z.strictObject({ wereSigned: z.array(z.boolean()) });
export type WereSigned = z.infer<typeof WereSigned>;

/**
 * `unlessFrozen` refuses while the state folder is frozen. The log may then lack signatures, and a missing signature would seem
 * to have been made elsewhere. A signature in the log certainly comes from this signer.
 */
export function createSignatureLookup(
  log: Pick<SigningLog, 'hasMade'>,
  unlessFrozen: (answer: WereSigned) => Promise<WereSigned>,
) {
  return async ({ signatures }: WasSignedOrder): Promise<WereSigned> => {
    const wereSigned = signatures.map(log.hasMade);
    return wereSigned.includes(false) ? unlessFrozen({ wereSigned }) : { wereSigned };
  };
}
