import { z } from 'zod';
import type { Rpc } from '../../rpc/rpc';
import type { ScannedBlock, ScanSource } from '../../types';
import { scriptOf, toHex } from '../addresses';
import { ByteReader, Unreadable } from '../decoder-bytes';
import { Height, neverRefused, nodeTrouble, UtxoHash, unlessUnknown } from '../rpc-schemas';
import type { UtxoNetwork } from '../types';
import { movementsIn, type Outputs } from './block-movements';
import { HEADER_BYTES, targetOf } from './proof-of-work';
import { type RawBlock, readRawBlock } from './raw-block';
import { hashTwice, readRawTransaction, reversedHex } from './raw-transaction';
import { SCRIPT_KEY } from './watched-scripts';

/** A block of Bitcoin Cash can have 32 MB, which are 64 MB of hex. */
const BLOCKS_AT_ONCE = 4;
const TRANSACTIONS_AT_ONCE = 16;
const RAW = 0;
/** No rule of these networks makes the work of one block several times easier than that of its parent. */
const EASIER_THAN_PARENT_MAX = 4n;
const NO_BLOCK = '0'.repeat(64);

const HexReply = z.string();
const bytesOf = (hex: string): Buffer => {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new Unreadable('a reply is not hex');
  return bytes;
};

/**
 * Reads whole blocks as bytes, and asks the node's wallet nothing. `rpc` asks any node, and `nodes` has one `Rpc` for each node.
 */
export function createUtxoScanSource(network: UtxoNetwork, rpc: Rpc, nodes: readonly Rpc[]): ScanSource {
  const { name } = network;
  const ask = neverRefused(name, rpc);
  /** A node that has failed is asked last, and does not delay every block. */
  const order = [...nodes];

  /** Undefined if no node has it. A node that fails, or whose reply is not what was asked for, is not needed if another is true. */
  async function firstOf<T>(work: (node: Rpc) => Promise<T | undefined>): Promise<T | undefined> {
    let trouble: unknown;
    for (const node of [...order]) {
      try {
        const found = await work(node);
        if (found !== undefined) return found;
      } catch (error) {
        trouble =
          error instanceof Unreadable ? nodeTrouble(name, `A node of ${name} returned false bytes: ${error.message}`) : error;
        order.push(...order.splice(order.indexOf(node), 1));
      }
    }
    if (trouble) throw trouble;
    return undefined;
  }

  async function blockOf(node: Rpc, height: number): Promise<RawBlock | undefined> {
    const hash = await unlessUnknown(name, node)('getblockhash', [height], UtxoHash);
    if (hash === undefined) return undefined;
    const block = readRawBlock(network, bytesOf(await neverRefused(name, node)('getblock', [hash, RAW], HexReply)));
    if (block.hash !== hash || block.height !== height) throw new Unreadable('the block is another one');
    if (network.isMainnet) await assertHard(node, block);
    return block;
  }

  /**
   * The work shows that a false block would cost about as much as a true one. It does not show that the block is on the chain
   * with the most work, or that its transactions are valid: the nodes that must agree say so before anything is confirmed. On
   * test networks the work is worth nothing.
   */
  async function assertHard(node: Rpc, { parentHash, target }: RawBlock): Promise<void> {
    const header = bytesOf(await neverRefused(name, node)('getblockheader', [parentHash, false], HexReply)).subarray(
      0,
      HEADER_BYTES,
    );
    if (reversedHex(hashTwice(header)) !== parentHash) throw new Unreadable('the header is another one');
    if (target > EASIER_THAN_PARENT_MAX * targetOf(header)) throw new Unreadable('the work of a block is too easy');
  }

  async function outputsOf(txids: readonly string[]): Promise<ReadonlyMap<string, Outputs>> {
    const found = new Map<string, Outputs>();
    for (let at = 0; at < txids.length; at += TRANSACTIONS_AT_ONCE) {
      const asked = txids.slice(at, at + TRANSACTIONS_AT_ONCE);
      const all = await Promise.all(asked.map((txid) => firstOf((node) => outputsFrom(node, txid))));
      for (const [index, outputs] of all.entries()) if (outputs) found.set(asked[index] as string, outputs);
    }
    return found;
  }

  async function outputsFrom(node: Rpc, txid: string): Promise<Outputs | undefined> {
    const hex = await unlessUnknown(name, node)('getrawtransaction', [txid], HexReply);
    if (hex === undefined) return undefined;
    const tx = readRawTransaction(new ByteReader(bytesOf(hex)));
    if (tx.txid !== txid) throw new Unreadable('the transaction is another one');
    return tx.outputs;
  }

  /** The first block pays nobody, because its reward cannot be spent. So only its hash matters. */
  async function firstBlock(): Promise<ScannedBlock | undefined> {
    const next = await firstOf((node) => blockOf(node, 1));
    if (!next) return undefined;
    return {
      ...{ height: 0, hash: next.parentHash, parentHash: NO_BLOCK, parentHeight: -1, date: next.date },
      ...{ proof: 'Root', sight: 'Traces', movements: async () => [] },
    };
  }

  return {
    blocksAtOnce: BLOCKS_AT_ONCE,
    plain: (address) => toHex(scriptOf(network, address)),
    key: SCRIPT_KEY,

    async head() {
      const height = await ask('getblockcount', [], Height);
      return { height, hash: await ask('getblockhash', [height], UtxoHash) };
    },

    async block(height): Promise<ScannedBlock | undefined> {
      if (height === 0) return firstBlock();
      const block = await firstOf((node) => blockOf(node, height));
      if (!block) return undefined;
      const { hash, parentHash, date, transactions } = block;
      return {
        ...{ height, hash, parentHash, parentHeight: height - 1, date, proof: 'Root', sight: 'Traces' },
        movements: (isWatched, coinsOf) => movementsIn(transactions, { network, isWatched, coinsOf, outputsOf }),
      };
    },
  };
}
