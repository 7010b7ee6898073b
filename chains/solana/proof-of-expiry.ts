import { base58 } from '@scure/base';
import { z } from 'zod';
import type { Rpc } from '../rpc/rpc';
import type { WhyNever } from '../types';
import { atSlot, Base58, Count } from './rpc';

/** Blocks beyond the last one that could take the transaction, so that two nodes need not agree to the block. */
const BLOCKS_BEYOND = 32;
const FINAL = { commitment: 'finalized' } as const;
/** Where the value of a nonce account stands. */
const NONCE_VALUE_AT = 40;

const BlockhashContext = z.object({
  lifetime: z.object({ kind: z.literal('blockhash'), lastValidBlockHeight: z.coerce.number().int() }),
  slot: Count,
});
const NonceContext = z.object({
  lifetime: z.object({ kind: z.literal('durable-nonce'), account: Base58, value: Base58 }),
  slot: Count,
});
const Statuses = atSlot(z.array(z.unknown().nullable()).length(1));
const NonceAccount = atSlot(z.object({ data: z.tuple([z.base64(), z.literal('base64')]) }).nullable());

const EXPIRED = 'The transaction expired before a block took it; nothing was sent';
const ADVANCED =
  'The durable nonce was advanced by another transaction, which was not signed here; this one was not carried out. Somebody else may have the key';

/**
 * Whether a transaction can never get into a block any more (S7). Every node must say at its finalized head that the time of the transaction has
 * passed and that it is nowhere in a history that reaches back to when it was built; of a single node the same is asked again at a later head. So it is
 * of all of them where a durable nonce was advanced: by then the follower has seen the block of what was made here to compete with it.
 */
export function createProofOfExpiry(witnesses: readonly Rpc[]): WhyNever {
  /** Finalized heights at which a transaction was found missing and out of time, by its id. */
  const seen = new Map<string, number>();

  return async ({ txHash, context }) => {
    const blockhash = BlockhashContext.safeParse(context).data;
    const nonce = NonceContext.safeParse(context).data;
    const slot = blockhash?.slot ?? nonce?.slot;
    if (slot === undefined) return undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const witness of witnesses) {
      const height = await witness('getBlockHeight', [FINAL], Count);
      const isOver = blockhash
        ? height > blockhash.lifetime.lastValidBlockHeight + BLOCKS_BEYOND
        : nonce !== undefined && (await isAdvanced(witness, nonce.lifetime));
      // The time first and then the history: the other way round the transaction could have come between.
      if (!isOver || !(await isMissing(witness, txHash, slot))) {
        seen.delete(txHash);
        return undefined;
      }
      lowest = Math.min(lowest, height);
    }
    const before = seen.get(txHash);
    seen.set(txHash, before ?? lowest);
    const isSure = (blockhash && witnesses.length > 1) || (before !== undefined && lowest > before + BLOCKS_BEYOND);
    if (!isSure) return undefined;
    seen.delete(txHash);
    return { reason: blockhash ? EXPIRED : ADVANCED, isForeign: !blockhash };
  };
}

async function isMissing(witness: Rpc, txHash: string, builtAtSlot: number): Promise<boolean> {
  // A node that has forgotten the time in question knows nothing of it either.
  if ((await witness('getFirstAvailableBlock', [], Count)) > builtAtSlot) return false;
  const { value } = await witness('getSignatureStatuses', [[txHash], { searchTransactionHistory: true }], Statuses);
  return value[0] === null;
}

async function isAdvanced(witness: Rpc, { account, value }: { readonly account: string; readonly value: string }) {
  const reply = await witness('getAccountInfo', [account, { ...FINAL, encoding: 'base64' }], NonceAccount);
  // An account that was closed keeps nobody's transaction valid.
  if (reply.value === null) return true;
  const data = Buffer.from(reply.value.data[0], 'base64');
  return base58.encode(data.subarray(NONCE_VALUE_AT, NONCE_VALUE_AT + 32)) !== value;
}
