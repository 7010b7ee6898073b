import { bech32, bech32m } from '@scure/base';
import { z } from 'zod';
import type { CoinNode } from './bitcoin-node';
import { BlockPace, type PaceOptions } from './block-pace';

/**
 * The reward of the first block may be spent at this height. The first start mines up to this height, so that the faucet
 * has funds.
 */
const MATURITY = 101;
/** Wallets of the node: `WATCHED` contains the addresses of the service, and the faucet pays from `FAUCET`. */
export const WATCHED = 'strongroom';
const FAUCET = 'faucet';

/**
 * A refused payment is repeated: the wallet draws some lock times at random, and Bitcoin Knots refuses the lock time 21
 * (`rejectparasites`).
 */
const PAYMENTS_MAX = 5;

const Txid = z.string();
const Txids = z.array(Txid);
const Payment = z.object({ confirmations: z.number() });
const Block = z.object({ tx: z.array(z.string()) });
const Hash = z.string();
const Count = z.number();
const Wallets = z.array(z.string());

/** The node writes each block to disk before any client can read it. */
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
   * The first start creates the wallets and the first blocks. A later start mines the confirming blocks that are still missing.
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

  /**
   * Pays from the faucet, and returns the transaction's id. `amount` is in whole coins. Throws if the node refuses several
   * payments of its own wallet in a row.
   */
  async fund(address: string, amount: string): Promise<string> {
    for (let attempt = 0; attempt < PAYMENTS_MAX; attempt += 1) {
      const txid = Txid.parse(await this.node.call('sendtoaddress', [regtestForm(address), amount], FAUCET));
      if (await this.isTaken(txid)) {
        this.transactionArrived();
        return txid;
      }
      await this.node.call('abandontransaction', [txid], FAUCET);
    }
    throw new Error(`the node refused ${PAYMENTS_MAX} payments of the faucet to ${address}`);
  }

  /** Mines at once, regardless of the pace. */
  async mineNow(count: number): Promise<void> {
    await this.pace.change(() => this.mine(count));
  }

  /** The transactions of the last `depth` blocks become pending again, and `depth + 1` new blocks are mined. */
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

  /** The wallet reports success even if the node refuses the payment. */
  private async isTaken(txid: string): Promise<boolean> {
    if (Txids.parse(await this.node.call('getrawmempool')).includes(txid)) return true;
    const { confirmations } = Payment.parse(await this.node.call('gettransaction', [txid], FAUCET));
    return confirmations > 0;
  }

  private async height(): Promise<number> {
    return Count.parse(await this.node.call('getblockcount'));
  }

  /**
   * Loads or creates the wallet. Newer nodes create only wallets with descriptors, and Debian's litecoind creates only wallets
   * without descriptors.
   */
  private async wallet(name: string, withoutKeys: boolean): Promise<void> {
    const make = (descriptors: boolean) =>
      this.node.call('createwallet', [name, withoutKeys, withoutKeys, '', false, descriptors]);
    if (Wallets.parse(await this.node.call('listwallets')).includes(name)) return;
    await this.node.call('loadwallet', [name]).catch(() => make(true).catch(() => make(false)));
  }

  /**
   * Mines to a new address each time. Otherwise a new block could equal a block that a reorganisation has invalidated, and the
   * node refuses such a block.
   */
  private async mine(count: number): Promise<void> {
    const address = await this.node.call('getnewaddress', ['', 'bech32'], FAUCET);
    await this.node.call('generatetoaddress', [count, address]);
    await this.node.call('gettxoutsetinfo', ['none']); // makes the node flush all blocks to disk
  }
}

/** Changes an address of a public test network to regtest. Only the prefix of bech32 differs. */
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
