import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../../domain/errors';
import type { BlockProof, NativeSight } from '../../../domain/movements';
import { Hash, quantityOf, type Rpc, SmallQuantity } from '../../rpc/rpc';
import type { BlockBody, OnBody, ScannedBlock, ScanSource } from '../../types';
import { neverRefused } from '../errors';
import type { EvmNetwork, Sees } from '../types';
import { logsIn } from './block-logs';
import { type BlockParts, movementsIn } from './block-movements';
import { areReceiptsProved, isBodyProved } from './block-proof';
import { FullBlockReply, ReceiptReply } from './block-schemas';
import { blockSignaturesIn } from './block-signatures';
import { createTraces } from './block-traces';

const ADDRESS_BYTES = 20;
/** A full block with its receipts and traces can be tens of megabytes long. */
const BLOCKS_AT_ONCE = 16;
/**
 * The date of a block is the start of its slot, in whole seconds. The block can contain transactions that were sent after this
 * date.
 */
const DATE_LAG_MS_MAX = 60_000;
const MILLIS = 1_000;

const HeadReply = z.object({ number: SmallQuantity, hash: Hash }).transform(({ number: height, hash }) => ({ height, hash }));
const Receipts = z.array(ReceiptReply);

type Scanned = Pick<EvmNetwork, 'name' | 'provesBlocks' | 'sees'>;
type Untraced = Omit<BlockParts, 'traces'> & { readonly isBodyProved: boolean };
type Proved = Untraced & { readonly proof: BlockProof };

/**
 * Reads whole blocks with their receipts instead of filtered logs, because nodes have left logs out of filtered replies without
 * an error (NethermindEth/nethermind#12475, enviodev/hyperindex#1498). `rpc` asks any node, and `nodes` contains one `Rpc` for
 * each node.
 */
export function createEvmScanSource({ name, provesBlocks, sees }: Scanned, rpc: Rpc, nodes: readonly Rpc[]) {
  const asks = nodes.map((node) => neverRefused(name, node));
  const tracesOf = createTraces(nodes);
  /** The node that last returned a whole block is asked first, so that a node that is down does not delay every block. */
  let preferred = 0;
  const fault = (words: string) => new AppError('NetworkUnavailable', `${words} (${name})`, { network: name });

  async function partsFrom(at: number, height: number, onBody: OnBody, hash?: string): Promise<Untraced | undefined> {
    const ask = asks[at] as Rpc;
    const block = await ask('eth_getBlockByNumber', [quantityOf(height), true], FullBlockReply.nullable());
    if (block === null || (hash !== undefined && block.hash !== hash)) return undefined;
    if (Number(block.number) !== height) throw fault('A node returned a block of another height');
    const proved = isBodyProved(block);
    if (proved || (asks.length === 1 && !provesBlocks)) onBody(bodyOf(block, height));
    const receipts = block.transactions.length === 0 ? [] : await ask('eth_getBlockReceipts', [block.hash], Receipts);
    const isOfBlock = block.transactions.every((tx, index) => isReceiptOf(receipts[index], tx.hash, block.hash));
    if (receipts.length !== block.transactions.length || !isOfBlock) throw fault('A node left out receipts of a block');
    return { block, receipts, isBodyProved: proved };
  }

  /**
   * The parts of a block from the first node whose parts prove the block. If no node's parts prove the block, the parts on which
   * two nodes agree.
   */
  async function provedParts(height: number, onBody: OnBody): Promise<Proved | undefined> {
    let first: Untraced | undefined;
    let trouble: unknown;
    for (const step of asks.keys()) {
      const at = (preferred + step) % asks.length;
      // Without `provesBlocks`, the next node must return the same block as the first. With `provesBlocks`, an unproved block is
      // not compared.
      const hash: string | undefined = provesBlocks ? undefined : first?.block.hash;
      const parts = await partsFrom(at, height, onBody, hash).catch((error: unknown) => {
        trouble = error;
        return undefined;
      });
      if (!parts) continue;
      if (parts.isBodyProved && areReceiptsProved(parts.block, parts.receipts)) {
        preferred = at;
        return { ...parts, proof: 'Root' };
      }
      if (first && isDeepStrictEqual(first, parts) && !provesBlocks) return { ...parts, proof: 'TwoNodes' };
      first ??= parts;
    }
    if (!first && trouble) throw trouble;
    if (!first) return undefined;
    if (provesBlocks) throw fault('The hash of a block does not follow from what the nodes return');
    if (asks.length > 1) throw fault('The nodes do not agree on a block');
    return { ...first, proof: 'OneNode' };
  }

  return {
    blocksAtOnce: BLOCKS_AT_ONCE,
    dateLagMsMax: DATE_LAG_MS_MAX,
    plain: (address) => address.toLowerCase(),
    key: { bytes: ADDRESS_BYTES, write: (plain, into) => void into.write(plain.slice(2), 'hex') },

    head: () => neverRefused(name, rpc)('eth_getBlockByNumber', ['latest', false], HeadReply),

    async block(height, onBody = () => undefined): Promise<ScannedBlock | undefined> {
      const parts = await provedParts(height, onBody);
      if (!parts) return undefined;
      if (!parts.isBodyProved) onBody(bodyOf(parts.block, height));
      const traces = sees.native === 'Calls' ? await tracesOf(parts.block) : undefined;
      return scannedOf({ ...parts, traces }, sees, height);
    },
  } satisfies ScanSource;
}

const isReceiptOf = (receipt: z.output<typeof ReceiptReply> | undefined, txHash: string, blockHash: string): boolean =>
  receipt?.transactionHash === txHash && receipt.blockHash === blockHash;

const bodyOf = ({ hash, parentHash, transactions }: FullBlockReply, height: number): BlockBody => ({
  ...{ height, hash, parentHash, parentHeight: height - 1 },
  txHashes: transactions.map((tx) => tx.hash),
});

function scannedOf(parts: Proved & BlockParts, sees: Sees, height: number): ScannedBlock {
  const { hash, parentHash, timestamp, transactions } = parts.block;
  return {
    ...{ height, hash, parentHash, parentHeight: height - 1, proof: parts.proof },
    sight: sightOf(sees, parts.traces === undefined && transactions.length > 0),
    date: new Date(Number(timestamp) * MILLIS),
    contents: async (isWatched) => ({
      movements: movementsIn(parts, sees, isWatched),
      signatures: blockSignaturesIn(parts, isWatched),
      logs: logsIn(parts.receipts, isWatched),
    }),
  };
}

function sightOf({ native }: Sees, lacksTraces: boolean): NativeSight {
  if (native !== 'Calls') return 'Logs';
  return lacksTraces ? 'Transactions' : 'Traces';
}
