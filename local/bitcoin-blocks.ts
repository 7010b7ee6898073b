import { bech32, bech32m } from '@scure/base';
import { z } from 'zod';
import type { CoinNode } from './bitcoin-node';
import { BlockPace, type PaceOptions } from './block-pace';

/**
 * The height of the chain at which the reward of the first block may be spent. The first start mines up to this height, so that
 * the faucet has funds.
 */
const MATURITY = 101;
/**
 * The names of two wallets of the node. The wallet `WATCHED` has the addresses of the service, and the faucet pays from the
 * wallet `FAUCET`.
 */
export const WATCHED = 'strongroom';
const FAUCET = 'faucet';

const Block = z.object({ tx: z.array(z.string()) });
const Hash = z.string();
const Count = z.number();
const Wallets = z.array(z.string());

/**
 * The blocks of a chain of the Bitcoin family, and the faucet of the chain. The node writes each block to disk before any
 * client can read the block.
 */
export class CoinBlocks {
  private readonly pace: BlockPace;

  constructor(
    private readonly node: CoinNode,
    options: PaceOptions,
  ) {
    this.pace = new BlockPace(
      {
        pending: async () => Wallets.parse(await node.call('getrawmempool')).length,
        seal: () => this.mine(1),
        height: () => this.height(),
        hasTransactions: async (height) => {
          const hash = await node.call('getblockhash', [height]);
          return Block.parse(await node.call('getblock', [hash])).tx.length > 1;
        },
      },
      options,
    );
  }

  /**
   * At the first start, creates the wallets and the first blocks. At a later start, loads the wallets and mines the confirming
   * blocks that are still missing.
   */
  async load(): Promise<void> {
    await this.wallet(WATCHED, true);
    await this.wallet(FAUCET, false);
    await this.pace.change(async () => {
      const missing = MATURITY - (await this.height());
      if (missing > 0) await this.mine(missing);
    });
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.pace.read(work);
  }

  transactionArrived(): void {
    this.pace.transactionArrived();
  }

  setMining(on: boolean): void {
    this.pace.setMining(on);
  }

  /** Pays from the faucet and returns the transaction's id. `amount` is in whole coins. */
  async fund(address: string, amount: string): Promise<unknown> {
    const txid = await this.node.call('sendtoaddress', [regtestForm(address), amount], FAUCET);
    this.transactionArrived();
    return txid;
  }

  /** Mines at once, regardless of the pace. */
  async mineNow(count: number): Promise<void> {
    await this.pace.change(() => this.mine(count));
  }

  /** Reverts the last `depth` blocks, so that their transactions are pending again. Then mines `depth + 1` new blocks. */
  async reorganise(depth: number): Promise<void> {
    await this.pace.change(async () => {
      const first = Hash.parse(await this.node.call('getblockhash', [(await this.height()) - depth + 1]));
      await this.node.call('invalidateblock', [first]);
      await this.mine(depth + 1);
    });
  }

  async stop(): Promise<void> {
    await this.pace.stop();
  }

  private async height(): Promise<number> {
    return Count.parse(await this.node.call('getblockcount'));
  }

  /**
   * Loads a wallet, or creates it if it is missing. The service's wallet holds no keys. Tries both kinds of wallets. Newer
   * nodes create only wallets with descriptors, and Debian's litecoind creates only wallets without them.
   */
  private async wallet(name: string, withoutKeys: boolean): Promise<void> {
    const make = (descriptors: boolean) =>
      this.node.call('createwallet', [name, withoutKeys, withoutKeys, '', false, descriptors]);
    if (Wallets.parse(await this.node.call('listwallets')).includes(name)) return;
    await this.node.call('loadwallet', [name]).catch(() => make(true).catch(() => make(false)));
  }

  /**
   * Mines to a new address each time, so that no block equals an earlier block. An equal block would have the same hash, and
   * the node refuses this hash if a reorganisation has invalidated the earlier block.
   */
  private async mine(count: number): Promise<void> {
    const address = await this.node.call('getnewaddress', ['', 'bech32'], FAUCET);
    await this.node.call('generatetoaddress', [count, address]);
    await this.node.call('gettxoutsetinfo', ['none']); // makes the node flush all blocks to disk
  }
}

/**
 * Returns an address of a public test network in the form that the regtest node expects. For bech32 the prefix differs. The
 * older address forms are the same on both networks.
 */
function regtestForm(address: string): string {
  const [prefix] = address.split('1', 1);
  const own = { tb: 'bcrt', tltc: 'rltc' }[prefix ?? ''];
  if (own === undefined) return address;
  for (const form of [bech32, bech32m]) {
    const decoded = form.decodeUnsafe(address);
    if (decoded) return form.encode(own, decoded.words);
  }
  return address;
}
