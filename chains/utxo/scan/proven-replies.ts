import { z } from 'zod';
import type { Rpc } from '../../rpc/rpc';
import { ByteReader, Unreadable } from '../decoder-bytes';
import { neverRefused, nodeTrouble, UtxoHash, unlessUnknown } from '../rpc-schemas';
import type { UtxoNetwork } from '../types';
import type { Outputs } from './block-movements';
import { HEADER_BYTES, targetOf } from './proof-of-work';
import { type RawBlock, readRawBlock } from './raw-block';
import { hashTwice, readRawTransaction, reversedHex } from './raw-transaction';

const TRANSACTIONS_AT_ONCE = 16;
const RAW = 0;
/** On these networks, the target of a block is never more than this many times its parent's target. */
const EASIER_THAN_PARENT_MAX = 4n;

const HexReply = z.string();

export type ProvenReplies = {
  /** Undefined if no node has the block yet. */
  readonly block: (height: number) => Promise<RawBlock | undefined>;
  /** The outputs of transactions by id. Leaves out a transaction that no node has. */
  readonly outputsOf: (txids: readonly string[]) => Promise<ReadonlyMap<string, Outputs>>;
};

/**
 * Accepts only replies whose bytes can be verified. A node that has failed is asked last, so that it does not delay every block.
 */
export function createProvenReplies(network: UtxoNetwork, nodes: readonly Rpc[]): ProvenReplies {
  const { name } = network;
  const order = [...nodes];

  /** The first reply that can be verified. Undefined if all nodes report that they do not have the item. */
  async function firstOf<T>(ask: (node: Rpc) => Promise<T | undefined>): Promise<T | undefined> {
    let trouble: unknown;
    for (const node of [...order]) {
      try {
        const found = await ask(node);
        if (found !== undefined) return found;
      } catch (error) {
        const isFalse = error instanceof Unreadable;
        trouble = isFalse ? nodeTrouble(name, `A node of ${name} returned false bytes: ${error.message}`) : error;
        order.push(...order.splice(order.indexOf(node), 1));
      }
    }
    if (trouble) throw trouble;
    return undefined;
  }

  return {
    block: (height) => firstOf((node) => blockFrom(network, node, height)),
    outputsOf: async (txids) => {
      const found = new Map<string, Outputs>();
      for (let at = 0; at < txids.length; at += TRANSACTIONS_AT_ONCE) {
        const asked = txids.slice(at, at + TRANSACTIONS_AT_ONCE);
        const all = await Promise.all(asked.map((txid) => firstOf((node) => outputsFrom(name, node, txid))));
        for (const [index, outputs] of all.entries()) if (outputs) found.set(asked[index] as string, outputs);
      }
      return found;
    },
  };
}

async function blockFrom(network: UtxoNetwork, node: Rpc, height: number): Promise<RawBlock | undefined> {
  const { name, isMainnet } = network;
  const hash = await unlessUnknown(name, node)('getblockhash', [height], UtxoHash);
  if (hash === undefined) return undefined;
  const block = readRawBlock(network, bytesOf(await neverRefused(name, node)('getblock', [hash, RAW], HexReply)));
  if (block.hash !== hash || block.height !== height) throw new Unreadable('the block is another one');
  if (isMainnet) await assertHard(name, node, block);
  return block;
}

/**
 * The work shows that a forged block costs its maker about as much as a genuine block. The work does not show that the block is
 * on the branch with the most work, or that its transactions are valid. Before anything is confirmed, the nodes that must agree
 * have to report the transaction. On test networks the work shows nothing, because blocks may be easy to mine.
 */
async function assertHard(name: string, node: Rpc, { parentHash, target }: RawBlock): Promise<void> {
  const hex = await neverRefused(name, node)('getblockheader', [parentHash, false], HexReply);
  const header = bytesOf(hex).subarray(0, HEADER_BYTES);
  if (reversedHex(hashTwice(header)) !== parentHash) throw new Unreadable('the header is another one');
  if (target > EASIER_THAN_PARENT_MAX * targetOf(header)) throw new Unreadable('the work of a block is too easy');
}

async function outputsFrom(name: string, node: Rpc, txid: string): Promise<Outputs | undefined> {
  const hex = await unlessUnknown(name, node)('getrawtransaction', [txid], HexReply);
  if (hex === undefined) return undefined;
  const tx = readRawTransaction(new ByteReader(bytesOf(hex)));
  if (tx.txid !== txid) throw new Unreadable('the transaction is another one');
  return tx.outputs;
}

function bytesOf(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new Unreadable('the reply is not hex');
  return bytes;
}
