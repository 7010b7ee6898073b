import { inFamily } from '../../families';
import type { Rpc } from '../../rpc/rpc';
import type { ScannedBlock, ScanSource } from '../../types';
import { scriptOf, toHex } from '../addresses';
import { Height, neverRefused, UtxoHash } from '../rpc-schemas';
import type { UtxoNetwork } from '../types';
import { contentsOf } from './block-movements';
import { earlierCoins } from './earlier-coins';
import { createProvenReplies } from './proven-replies';
import { SCRIPT_KEY } from './watched-scripts';

/** A block of Bitcoin Cash can be 32 MB in size, which is 64 MB in hex. */
const BLOCKS_AT_ONCE = 4;
/** A date only has to be later than the median date of the previous eleven blocks (BIP113), which usually span two hours. */
const DATE_LAG_MS_MAX = 7_200_000;
const NO_BLOCK = '0'.repeat(64);

/** Reads whole blocks as bytes. `rpc` asks any node, and `nodes` contains one `Rpc` for each node. */
export function createUtxoScanSource(network: UtxoNetwork, rpc: Rpc, nodes: readonly Rpc[]): ScanSource {
  const ask = neverRefused(network.name, rpc);
  const replies = createProvenReplies(network, nodes);

  /** The first block does not pay anyone, because its reward cannot be spent. Therefore, only its hash matters. */
  async function firstBlock(): Promise<ScannedBlock | undefined> {
    const next = await replies.block(1);
    if (!next) return undefined;
    return {
      ...{ height: 0, hash: next.parentHash, parentHash: NO_BLOCK, parentHeight: -1, date: next.date },
      ...{ proof: 'Root', sight: 'Traces', contents: async () => ({ movements: [], signatures: [] }) },
    };
  }

  return {
    blocksAtOnce: BLOCKS_AT_ONCE,
    dateLagMsMax: DATE_LAG_MS_MAX,
    plain: (address) => toHex(scriptOf(network, address)),
    key: SCRIPT_KEY,
    earlierCoins: (reader, address) => earlierCoins(network, inFamily('utxo', reader), address),

    async head() {
      const height = await ask('getblockcount', [], Height);
      return { height, hash: await ask('getblockhash', [height], UtxoHash) };
    },

    async block(height, onBody): Promise<ScannedBlock | undefined> {
      if (height === 0) return firstBlock();
      const block = await replies.block(height);
      if (!block) return undefined;
      const { hash, parentHash, date, transactions } = block;
      onBody?.({ height, hash, parentHash, parentHeight: height - 1, txHashes: transactions.map(({ txid }) => txid) });
      return {
        ...{ height, hash, parentHash, parentHeight: height - 1, date, proof: 'Root', sight: 'Traces' },
        contents: (isWatched, coinsOf) => contentsOf(transactions, { network, isWatched, coinsOf, outputsOf: replies.outputsOf }),
      };
    },
  };
}
