import { isDeepStrictEqual } from 'node:util';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { AppError } from '../../../domain/errors';
import { type Rpc, RpcError } from '../../rpc/rpc';
import type { ScannedBlock, ScanSource } from '../../types';
import { atSlot, Base58, Count, NOT_AVAILABLE_YET, neverRefused, SKIPPED_CODES } from '../rpc';
import { movementsIn } from './block-movements';
import { BlockReply } from './block-reply';
import { blockSignaturesIn } from './block-signatures';

/** A block of the main network is about 5 MB in size. */
const BLOCKS_AT_ONCE = 4;
/** The date is an estimate that the validators vote on. */
const DATE_LAG_MS_MAX = 600_000;
const ADDRESS_BYTES = 32;
const MILLIS = 1_000;
/** The node has the block, but not yet the outcome of its transactions. */
const OUTCOME_NOT_AVAILABLE_YET = -32_014;

const CONFIRMED = { commitment: 'confirmed' } as const;
/** Balances before and after each transaction, without instructions. */
const BLOCK = { ...CONFIRMED, transactionDetails: 'accounts', rewards: false, maxSupportedTransactionVersion: 0 } as const;

const HeadReply = atSlot(z.object({ blockhash: Base58 }));

/** `Absent`: the node does not have the block yet. */
type Answer = BlockReply | 'Skipped' | 'Absent';

/**
 * Reads whole blocks with the balances before and after each transaction. The signatures that a node lists for an address would
 * leave out payments into existing token accounts (solana-labs/solana-program-library#2886). The height of a block is its slot.
 * `rpc` asks any node, and `nodes` contains one `Rpc` for each node.
 */
export function createSolanaScanSource(network: string, rpc: Rpc, nodes: readonly Rpc[]): ScanSource {
  const ask = neverRefused(network, rpc);
  const fault = (words: string) => new AppError('NetworkUnavailable', `${words} (${network})`, { network });
  /** A node that has failed moves to the end, so that it does not delay every block. */
  const order = [...nodes];

  async function answerOf(node: Rpc, slot: number): Promise<Answer> {
    try {
      return await node('getBlock', [slot, BLOCK], BlockReply);
    } catch (error) {
      if (error instanceof RpcError) {
        if (SKIPPED_CODES.has(error.rpcCode)) return 'Skipped';
        if (error.rpcCode === NOT_AVAILABLE_YET || error.rpcCode === OUTCOME_NOT_AVAILABLE_YET) return 'Absent';
      }
      order.push(...order.splice(order.indexOf(node), 1));
      if (error instanceof RpcError)
        throw new AppError('NetworkUnavailable', `A node of ${network} refused getBlock`, { network }, error);
      throw error;
    }
  }

  /** The reply on which two nodes agree, or the reply of the only node. */
  async function agreedAnswer(slot: number): Promise<Answer> {
    const answers: Answer[] = [];
    let trouble: unknown;
    for (const node of [...order]) {
      try {
        const answer = await answerOf(node, slot);
        if (nodes.length === 1 || answers.some((other) => isDeepStrictEqual(other, answer))) return answer;
        answers.push(answer);
      } catch (error) {
        trouble = error;
      }
    }
    // A node that does not have the block yet may agree with the others later.
    if (answers.includes('Absent')) return 'Absent';
    throw trouble ?? fault('The nodes do not agree on a block');
  }

  return {
    blocksAtOnce: BLOCKS_AT_ONCE,
    dateLagMsMax: DATE_LAG_MS_MAX,
    plain: (address) => address,
    key: { bytes: ADDRESS_BYTES, write: (plain, into) => into.set(base58.decode(plain).subarray(0, ADDRESS_BYTES)) },

    async head() {
      const { context, value } = await ask('getLatestBlockhash', [CONFIRMED], HeadReply);
      return { height: context.slot, hash: value.blockhash };
    },

    finalHeight: () => ask('getSlot', [{ commitment: 'finalized' }], Count),

    async block(height, onBody): Promise<ScannedBlock | 'Skipped' | undefined> {
      const answer = await agreedAnswer(height);
      if (typeof answer === 'string') return answer === 'Skipped' ? answer : undefined;
      const { blockhash, previousBlockhash, parentSlot, blockTime, transactions } = answer;
      if (blockTime === null) throw fault('The nodes do not know the time of a block');
      const place = { height, hash: blockhash, parentHash: previousBlockhash, parentHeight: parentSlot };
      onBody?.({ ...place, txHashes: transactions.map(({ txHash }) => txHash) });
      return {
        ...{ ...place, proof: nodes.length === 1 ? 'OneNode' : 'TwoNodes', sight: 'Balances' },
        date: new Date(blockTime * MILLIS),
        contents: async (isWatched) => ({
          movements: movementsIn(transactions, isWatched),
          signatures: blockSignaturesIn(transactions, isWatched, ask),
        }),
      };
    },
  };
}
