import { base58 } from '@scure/base';
import { z } from 'zod';
import type { Rpc } from '../rpc/rpc';
import type { WhyNever } from '../types';
import { atSlot, Base58, Count } from './rpc';

/** Blocks to wait after the last block that could include the transaction: the heights of nodes differ slightly. */
const BLOCKS_BEYOND = 32;
const FINAL = { commitment: 'finalized' } as const;
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

const EXPIRED = 'The transaction expired before a block included it; nothing was moved';
const ADVANCED =
  'A transaction that was not signed here has advanced the durable nonce, so the requested transaction was not executed. Another party may hold the key';

/**
 * Tells whether a transaction can no longer get into a block (S7). At every node's finalized head the transaction's lifetime
 * must be over, and the node's history must not contain the transaction. If there is only one node, a second call more than
 * `BLOCKS_BEYOND` blocks later must find the same facts. A durable nonce always needs this second call: by then the follower
 * has seen any transaction of ours that advanced the nonce.
 */
export function createProofOfExpiry(witnesses: readonly Rpc[]): WhyNever {
  /** The finalized height at which a transaction was first found missing and expired, by transaction id. */
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
      // The history is read last, because a block could include the transaction between the two reads.
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
  // A node whose history does not reach back to that slot proves nothing.
  if ((await witness('getFirstAvailableBlock', [], Count)) > builtAtSlot) return false;
  const { value } = await witness('getSignatureStatuses', [[txHash], { searchTransactionHistory: true }], Statuses);
  return value[0] === null;
}

async function isAdvanced(witness: Rpc, { account, value }: { readonly account: string; readonly value: string }) {
  const reply = await witness('getAccountInfo', [account, { ...FINAL, encoding: 'base64' }], NonceAccount);
  // Once the account is closed, its nonce is no longer valid.
  if (reply.value === null) return true;
  const data = Buffer.from(reply.value.data[0], 'base64');
  return base58.encode(data.subarray(NONCE_VALUE_AT, NONCE_VALUE_AT + 32)) !== value;
}
