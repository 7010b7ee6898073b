import { z } from 'zod';
import type { ReplacementForm } from '../family-forms';

const Context = z.object({ lifetime: z.object({ kind: z.enum(['blockhash', 'durable-nonce']) }) });

/**
 * A cancellation is a transfer of zero to the wallet itself, which advances the same durable nonce. A transaction with a
 * blockhash cannot be cancelled, because no other transaction uses up the blockhash. A sponsor who pays for the replaced
 * transaction also pays for the replacement.
 */
export const solanaReplacement: ReplacementForm = {
  needs: 'useDurableNonce',
  whyNot: ({ terms, sponsorAddress }, { context }, kind) => {
    if (Context.safeParse(context).data?.lifetime.kind !== 'durable-nonce') {
      const paid = sponsorAddress === null ? '' : ', and its fee sponsor pays only in that case';
      return `It has no durable nonce that a cancellation could use up: it expires on its own unless a block includes it${paid}`;
    }
    // People approved every byte of a raw transaction, including its price.
    return kind === 'SpeedUp' && terms !== null
      ? 'The price of a raw transaction cannot be changed: cancel it instead'
      : undefined;
  },
};
