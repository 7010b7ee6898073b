import { createHash } from 'node:crypto';
import type { Block, BroadcastOutcome, Gateway, Receipt } from '../../chains/types';
import { AppError } from '../../domain/errors';

type Mined = Block & { readonly failed: ReadonlySet<string> };

export type ScriptedChain = {
  readonly gateway: Gateway;
  /** Every raw transaction that the node has received, in order. */
  readonly sent: readonly string[];
  /** The name of every call to the node, in order. */
  readonly asked: readonly string[];
  /** Decides the outcome of a broadcast. While undefined, the node accepts every broadcast. */
  answer: ((rawHex: string, txHash: string) => BroadcastOutcome) | undefined;
  /** Replaces the true receipt, which is undefined if no block contains the transaction. */
  lie: ((receipt: Receipt | undefined) => Receipt | undefined) | undefined;
  /** While set, every call with this name fails as if no node answered. */
  down: keyof Gateway | 'all' | undefined;
  /** Adds a block with these transactions, and then `empty` empty blocks. Returns the height of the first block. */
  readonly mine: (txHashes?: readonly string[], options?: { readonly empty?: number; readonly failed?: boolean }) => number;
  /** Removes the blocks from this height on, and forgets their transactions. */
  readonly cut: (fromHeight: number) => void;
  /** Makes the node forget a waiting transaction. */
  readonly forget: (txHash: string) => void;
};

const hashOf = (...parts: readonly unknown[]) => `0x${createHash('sha256').update(parts.join('/')).digest('hex')}`;

/** A chain with blocks, reorganisations and silence on demand, which no real node offers. */
export function createScriptedChain(): ScriptedChain {
  const blocks: Mined[] = [{ height: 0, hash: hashOf('genesis'), parentHash: hashOf(), txHashes: [], failed: new Set() }];
  const waiting = new Set<string>();
  const sent: string[] = [];
  const asked: string[] = [];
  let fork = 0;

  const tip = () => blocks[blocks.length - 1] as Mined;
  const add = (txHashes: readonly string[], failed: ReadonlySet<string>) => {
    const { height, hash } = tip();
    blocks.push({ height: height + 1, hash: hashOf(hash, fork, txHashes), parentHash: hash, txHashes, failed });
    for (const txHash of txHashes) waiting.delete(txHash);
  };
  const ask = <T>(name: keyof Gateway, answer: () => T): Promise<T> => {
    asked.push(name);
    if (chain.down === 'all' || chain.down === name) {
      return Promise.reject(new AppError('NetworkUnavailable', 'The node does not answer'));
    }
    return Promise.resolve(answer());
  };
  const receiptOf = (txHash: string): Receipt | undefined => {
    const block = blocks.find(({ txHashes }) => txHashes.includes(txHash));
    return block && { height: block.height, blockHash: block.hash, success: !block.failed.has(txHash), feeUnits: 21_000n };
  };
  const toldOf = (txHash: string) => (chain.lie ? chain.lie(receiptOf(txHash)) : receiptOf(txHash));

  const chain: ScriptedChain = {
    sent,
    asked,
    answer: undefined,
    down: undefined,
    lie: undefined,
    mine: (txHashes = [], { empty = 0, failed = false } = {}) => {
      add(txHashes, new Set(failed ? txHashes : []));
      const { height } = tip();
      for (let i = 0; i < empty; i += 1) add([], new Set());
      return height;
    },
    cut: (fromHeight) => {
      fork += 1;
      blocks.splice(fromHeight);
    },
    forget: (txHash) => void waiting.delete(txHash),
    gateway: {
      head: () => ask('head', () => ({ height: tip().height, hash: tip().hash })),
      block: (height) => ask('block', () => blocks[height]),
      isKnown: (txHash) => ask('isKnown', () => waiting.has(txHash) || receiptOf(txHash) !== undefined),
      receipts: (txHashes) =>
        ask('receipts', () => {
          const found = txHashes.map((txHash) => [txHash, toldOf(txHash)] as const);
          return new Map(found.filter((pair): pair is [string, Receipt] => pair[1] !== undefined));
        }),
      broadcast: (rawHex, txHash) =>
        ask('broadcast', () => {
          sent.push(rawHex);
          const outcome = chain.answer?.(rawHex, txHash) ?? 'Accepted';
          if (outcome === 'Accepted') waiting.add(txHash);
          return outcome;
        }),
    },
  };
  return chain;
}
