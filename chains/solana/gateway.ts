import { base58 } from '@scure/base';
import { z } from 'zod';
import { AppError, invariant } from '../../domain/errors';
import { type Rpc, RpcError } from '../rpc/rpc';
import type { Block, BroadcastOutcome, Gateway, Receipt } from '../types';
import { createProofOfExpiry } from './proof-of-expiry';
import { atSlot, Base58, Count, CountedUnits, NOT_AVAILABLE_YET, neverRefused, SKIPPED_CODES, TransactionError } from './rpc';

const RECEIPTS_AT_ONCE = 16;
/**
 * The search for the last block before an empty slot ends after this many slots. Leaders never miss so many slots
 * in succession.
 */
const SKIPPED_MAX = 500;

const FINAL = { commitment: 'finalized' } as const;
const BLOCK = { ...FINAL, encoding: 'base64', rewards: false, maxSupportedTransactionVersion: 0 } as const;

const Head = z.object({ blockhash: Base58 });
const BlockReply = z.object({ blockhash: Base58, previousBlockhash: Base58, signatures: z.array(Base58) });
const StatusReply = atSlot(z.array(z.object({ slot: Count }).nullable()).length(1));
const TransactionReply = z.object({ slot: Count, meta: z.object({ err: TransactionError.nullable(), fee: CountedUnits }) });

/** The first matching row determines the outcome. */
const BROADCAST_WORDS: readonly (readonly [RegExp, BroadcastOutcome])[] = [
  [/already (?:been )?processed|AlreadyProcessed/i, 'AlreadyKnown'],
  [/insufficient (?:funds|lamports)|InsufficientFunds|no record of a prior credit|AccountNotFound/i, 'InsufficientFunds'],
];
const NODE_TROUBLE = /node is (?:behind|unhealthy)|too many requests|rate limit|time ?out|try again|unavailable/i;

const blockhashOf = async (ask: Rpc, slot: number): Promise<string> =>
  (await ask('getBlock', [slot, { ...BLOCK, transactionDetails: 'none' }], Head)).blockhash;

/**
 * An entry for a slot without a block. Undefined if the node does not list a block before the slot, or lists a block at the slot.
 */
async function skipped(ask: Rpc, slot: number): Promise<Block | undefined> {
  const slots = await ask('getBlocks', [Math.max(0, slot - SKIPPED_MAX), slot, FINAL], z.array(Count));
  const before = slots.at(-1);
  if (before === undefined || before >= slot) return undefined;
  const hash = await blockhashOf(ask, before);
  return { height: slot, hash, parentHash: hash, txHashes: [] };
}

async function receipt(ask: Rpc, txHash: string): Promise<Receipt | undefined> {
  const params = [txHash, { ...FINAL, encoding: 'base64', maxSupportedTransactionVersion: 0 }];
  const found = await ask('getTransaction', params, TransactionReply.nullable());
  if (found === null) return undefined;
  const { slot, meta } = found;
  return { height: slot, blockHash: await blockhashOf(ask, slot), success: meta.err === null, feeUnits: meta.fee };
}

/**
 * Only finalized blocks are read, so a block that has been read is never replaced. The height of a block is its slot. A slot
 * without a block gets the hash of the last block before the slot, so that the chain of blocks stays unbroken. `witnesses`
 * contains one `Rpc` for each node, because all nodes must confirm that a transaction has expired.
 */
export function createSolanaGateway(network: string, rpc: Rpc, witnesses: readonly Rpc[]): Gateway {
  const ask = neverRefused(network, rpc);
  const isKnown = async (txHash: string): Promise<boolean> => {
    const { value } = await ask('getSignatureStatuses', [[txHash], { searchTransactionHistory: true }], StatusReply);
    return value[0] !== null;
  };

  return {
    isKnown,
    whyNever: createProofOfExpiry(witnesses.map((witness) => neverRefused(network, witness))),

    async broadcast(rawHex, txHash): Promise<BroadcastOutcome> {
      const wire = Buffer.from(rawHex.slice(2), 'hex');
      // The id of a transaction is the first signature in its bytes.
      invariant(base58.encode(wire.subarray(1, 65)) === txHash, 'the bytes are those of the transaction');
      try {
        const options = { encoding: 'base64', skipPreflight: false, preflightCommitment: 'confirmed' };
        const answered = await rpc('sendTransaction', [wire.toString('base64'), options], Base58);
        if (answered === txHash) return 'Accepted';
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return outcomeOf(network, error);
      }
      throw new AppError('NetworkUnavailable', `The node of ${network} answered with another transaction's id`, { network });
    },

    async head() {
      const height = await ask('getSlot', [FINAL], Count);
      return { height, hash: await blockhashOf(ask, height) };
    },

    async block(height) {
      try {
        const found = await rpc('getBlock', [height, { ...BLOCK, transactionDetails: 'signatures' }], BlockReply);
        return { height, hash: found.blockhash, parentHash: found.previousBlockhash, txHashes: found.signatures };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (SKIPPED_CODES.has(error.rpcCode)) return skipped(ask, height);
        if (error.rpcCode === NOT_AVAILABLE_YET) return undefined;
        throw new AppError('NetworkUnavailable', `The node of ${network} refused getBlock`, { network }, error);
      }
    },

    async receipts(txHashes) {
      const found = new Map<string, Receipt>();
      for (let at = 0; at < txHashes.length; at += RECEIPTS_AT_ONCE) {
        const asked = txHashes.slice(at, at + RECEIPTS_AT_ONCE);
        const replies = await Promise.all(asked.map((txHash) => receipt(ask, txHash)));
        for (const [index, reply] of replies.entries()) if (reply) found.set(asked[index] ?? '', reply);
      }
      return found;
    },
  };
}

/** Throws `NetworkUnavailable` if the reason is the state of the node. */
function outcomeOf(network: string, error: RpcError): BroadcastOutcome {
  if (NODE_TROUBLE.test(error.message)) {
    throw new AppError('NetworkUnavailable', `The node of ${network} accepts no transactions at present`, { network }, error);
  }
  const known = BROADCAST_WORDS.find(([words]) => words.test(error.message))?.[1];
  return known ?? { kind: 'Rejected', reason: error.message };
}
