import { z } from 'zod';
import type { ReplacementForm } from '../family-forms';

/** Of what a payload keeps beside its bytes: by what they live. */
const Context = z.object({ lifetime: z.object({ kind: z.enum(['blockhash', 'durable-nonce']) }) });

/**
 * Solana: a transaction of nothing to oneself that advances the same durable nonce. What lives by a blockhash has nothing that another transaction
 * could use up before it, and is over by itself when the blockhash is. What a sponsor pays for stays at its expense.
 */
export const solanaReplacement: ReplacementForm = {
  needs: 'useDurableNonce',
  whyNot: ({ terms, sponsorAddress }, { context }, kind) => {
    if (Context.safeParse(context).data?.lifetime.kind !== 'durable-nonce') {
      const paid = sponsorAddress === null ? '' : ', and its fee sponsor pays for it in that block alone';
      return `It has no durable nonce that something else could use up: it expires by itself unless a block takes it${paid}`;
    }
    // Every byte of it was approved, its price too.
    return kind === 'SpeedUp' && terms !== null ? 'A raw transaction has the price that it was given: cancel it' : undefined;
  },
};
