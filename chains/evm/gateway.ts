import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { Hash, Quantity, quantityOf, type Rpc, RpcError, SmallQuantity } from '../rpc/rpc';
import type { BroadcastOutcome, Gateway, NetworkBase, Receipt } from '../types';
import { neverRefused, outcomeOf } from './errors';
import { endsOfOperations, Logs, searchFor } from './operation-events';
import { createUsedNonces } from './used-nonces';
import { senderAndNonceIn } from './user-operations';

const RECEIPTS_AT_ONCE = 16;

/**
 * The search for a foreign transaction that executed an operation begins this many blocks before our own transaction. Nodes
 * refuse to search many blocks at once.
 */
const SEARCHED_BLOCKS = 1_000;

const BlockReply = z.object({ number: SmallQuantity, hash: Hash, parentHash: Hash, transactions: z.array(Hash) });
const ReceiptReply = z.object({
  transactionHash: Hash,
  blockNumber: SmallQuantity,
  blockHash: Hash,
  status: z.enum(['0x0', '0x1']),
  gasUsed: Quantity,
  effectiveGasPrice: Quantity,
  /** The fee for the data on a chain of the OP stack, in addition to the gas. */
  l1Fee: Quantity.nullish(),
  logs: Logs.default([]),
});
const InputReply = z.object({ input: z.string() });
/** A pending transaction has no block yet, so the schema reads only the hash. */
const KnownReply = z.object({ hash: Hash }).nullable();

/** `height` and `blockHash` are set only if the operation ended in a later block than the requested transaction. */
type Ended = Pick<Receipt, 'success' | 'carriedOutBy' | 'instead' | 'isElsewhere'> &
  Partial<Pick<Receipt, 'height' | 'blockHash'>>;

type Followed = Pick<NetworkBase, 'name' | 'confirmations'>;

/**
 * The outcome of an operation. Undefined while the outcome is open. A reverted transaction has not used its operation's nonce,
 * so a third party can still send the operation. The outcome stays open until the entry point reports this operation, or
 * another operation with the same nonce.
 */
async function endOf(
  ask: Rpc,
  { logs, blockNumber, transactionHash }: z.infer<typeof ReceiptReply>,
  hash: string,
): Promise<Ended | undefined> {
  const own = endsOfOperations(logs).find((end) => end.hash === hash);
  if (own !== undefined) return { success: own.success };
  const sent = await ask('eth_getTransactionByHash', [transactionHash], InputReply.nullable());
  const operation = sent === null ? undefined : senderAndNonceIn(sent.input);
  if (operation === undefined) return undefined;
  const from = quantityOf(Math.max(0, blockNumber - SEARCHED_BLOCKS));
  const ends = endsOfOperations(await ask('eth_getLogs', [searchFor(operation.sender, from)], Logs));
  const end = ends.find(({ nonce }) => nonce === operation.nonce);
  if (!end?.block) return undefined;
  // The outcome depends on our transaction and on the found transaction, so the receipt names the later of their two blocks.
  const { height, hash: blockHash } = end.block;
  const place = height > blockNumber ? { height, blockHash, isElsewhere: true as const } : {};
  if (end.hash === hash) return { success: end.success, carriedOutBy: end.txHash, ...place };
  const instead = { operationHash: end.hash, success: end.success };
  return { success: false, carriedOutBy: end.txHash, instead, ...place };
}

/** `witnesses` contains one `Rpc` for each node, because all nodes must confirm that a nonce is used. */
export function createEvmGateway({ name: network, confirmations }: Followed, rpc: Rpc, witnesses: readonly Rpc[]): Gateway {
  const ask = neverRefused(network, rpc);
  const isKnown = async (txHash: string) => (await ask('eth_getTransactionByHash', [txHash], KnownReply)) !== null;
  const readReceipt = async (txHash: string) => ask('eth_getTransactionReceipt', [txHash], ReceiptReply.nullable());

  return {
    isKnown,
    whyNever: createUsedNonces(network, witnesses, confirmations),

    async broadcast(rawHex, txHash): Promise<BroadcastOutcome> {
      try {
        const answered = await rpc('eth_sendRawTransaction', [rawHex], Hash);
        if (answered === txHash) return 'Accepted';
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        const outcome = outcomeOf(network, error);
        // Once our transaction is mined, its nonce is used, so nodes refuse the transaction if it is sent again.
        if (outcome === 'AlreadyKnown' || !(await isKnown(txHash))) return outcome;
        return 'AlreadyKnown';
      }
      throw new AppError('NetworkUnavailable', `The node of ${network} answered with another transaction's id`, { network });
    },

    async head() {
      const { number, hash } = await ask('eth_getBlockByNumber', ['latest', false], BlockReply);
      return { height: number, hash };
    },

    async block(height) {
      const block = await ask('eth_getBlockByNumber', [quantityOf(height), false], BlockReply.nullable());
      if (block === null) return undefined;
      return { height: block.number, hash: block.hash, parentHash: block.parentHash, txHashes: block.transactions };
    },

    async receipts(txHashes, operations = new Map()) {
      const found = new Map<string, Receipt>();
      for (let at = 0; at < txHashes.length; at += RECEIPTS_AT_ONCE) {
        const asked = txHashes.slice(at, at + RECEIPTS_AT_ONCE);
        const replies = await Promise.all(asked.map(readReceipt));
        for (const [index, reply] of replies.entries()) {
          if (reply === null) continue;
          if (reply.transactionHash !== asked[index]) {
            throw new AppError('NetworkUnavailable', `The node of ${network} answered with another transaction's receipt`, {
              network,
            });
          }
          const operation = operations.get(reply.transactionHash);
          const end = operation === undefined ? { success: reply.status === '0x1' } : await endOf(ask, reply, operation);
          if (end === undefined) continue;
          found.set(reply.transactionHash, {
            height: reply.blockNumber,
            blockHash: reply.blockHash,
            feeUnits: reply.gasUsed * reply.effectiveGasPrice + (reply.l1Fee ?? 0n),
            ...end,
          });
        }
      }
      return found;
    },
  };
}
