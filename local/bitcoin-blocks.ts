import { bech32, bech32m } from '@scure/base';
import { z } from 'zod';
import type { CoinNode } from './bitcoin-node';
import { ChainLock } from './chain-lock';

/** Transactions that arrive within this window share a block. */
const COALESCE_MS = 50;
/** Pace of the empty blocks that confirm the last transaction. */
const CONFIRM_EVERY_MS = 250;
/** A block's reward may be spent behind this many others, so the faucet has something from the first start on. */
const MATURITY = 101;
/** What the service watches its addresses with, and what the faucet pays from. */
export const WATCHED = 'strongroom';
const FAUCET = 'faucet';

const Block = z.object({ tx: z.array(z.string()) });
const Hash = z.string();
const Count = z.number();
const Wallets = z.array(z.string());

interface CoinBlocksOptions {
  /** Empty blocks mined on top of a block with transactions. */
  readonly confirmations: number;
  readonly onDeath: (reason: string) => void;
}

/** Decides when a block is mined and has the node write it before anybody may read from it; holds the faucet's wallet. */
export class CoinBlocks {
  private readonly gate = new ChainLock();
  private timer: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | undefined;
  private owed = 0;
  private mining = true;

  constructor(
    private readonly node: CoinNode,
    private readonly options: CoinBlocksOptions,
  ) {}

  /** Makes the wallets and the first blocks, or takes up where the last run ended, confirmations still owed included. */
  async load(): Promise<void> {
    await this.wallet(WATCHED, true);
    await this.wallet(FAUCET, false);
    await this.gate.exclusive(async () => {
      const missing = MATURITY - Count.parse(await this.node.call('getblockcount'));
      if (missing > 0) await this.mine(missing);
      await this.recount();
    });
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.gate.shared(work);
  }

  transactionArrived(): void {
    this.sealIn(COALESCE_MS);
  }

  setMining(on: boolean): void {
    this.mining = on;
    if (on) this.sealIn(0);
  }

  /** Pays from the faucet and answers the transaction's id. `amount` is in whole coins. */
  async fund(address: string, amount: string): Promise<unknown> {
    const txid = await this.node.call('sendtoaddress', [regtestForm(address), amount], FAUCET);
    this.transactionArrived();
    return txid;
  }

  /** Mines at once, whatever the pace. */
  async mineNow(count: number): Promise<void> {
    await this.gate.exclusive(async () => {
      await this.mine(count);
      await this.recount();
    });
  }

  /** Takes the last `depth` blocks back and mines one more of other ones; their transactions wait for a block again. */
  async reorganise(depth: number): Promise<void> {
    await this.gate.exclusive(async () => {
      const height = Count.parse(await this.node.call('getblockcount'));
      const first = Hash.parse(await this.node.call('getblockhash', [height - depth + 1]));
      await this.node.call('invalidateblock', [first]);
      await this.mine(depth + 1);
      await this.recount();
    });
  }

  async stop(): Promise<void> {
    this.mining = false;
    await this.gate.exclusive(async () => undefined);
    if (this.timer) clearTimeout(this.timer.handle); // last, since a block that was being sealed sets the next one's timer
  }

  /** The service's wallet holds no keys. Newer nodes know no other form than descriptors, and Debian's litecoind is built without them. */
  private async wallet(name: string, withoutKeys: boolean): Promise<void> {
    const make = (descriptors: boolean) =>
      this.node.call('createwallet', [name, withoutKeys, withoutKeys, '', false, descriptors]);
    if (Wallets.parse(await this.node.call('listwallets')).includes(name)) return;
    await this.node.call('loadwallet', [name]).catch(() => make(true).catch(() => make(false)));
  }

  private sealIn(afterMs: number): void {
    const dueMs = performance.now() + afterMs;
    if (this.timer && this.timer.dueMs <= dueMs) return;
    if (this.timer) clearTimeout(this.timer.handle);
    const handle = setTimeout(() => {
      this.timer = undefined;
      this.seal().catch((error: unknown) => this.options.onDeath(`A block could not be mined: ${String(error)}`));
    }, afterMs);
    this.timer = { dueMs, handle };
  }

  private async seal(): Promise<void> {
    await this.gate.exclusive(async () => {
      if (!this.mining) return;
      if ((await this.pending()) === 0 && this.owed === 0) return;
      await this.mine(1);
      await this.recount();
    });
  }

  /** To a new address each time: two blocks alike in all would be one block, which a reorganisation may just have struck out. */
  private async mine(count: number): Promise<void> {
    const address = await this.node.call('getnewaddress', ['', 'bech32'], FAUCET);
    await this.node.call('generatetoaddress', [count, address]);
    await this.node.call('gettxoutsetinfo', ['none']); // counts the coins, and has everything written for it
  }

  /** Counts the confirmations still owed from the chain itself, so that a restart or a reorganisation cannot make it forget them. */
  private async recount(): Promise<void> {
    const best = Count.parse(await this.node.call('getblockcount'));
    this.owed = 0;
    for (let depth = 0; depth < this.options.confirmations && depth <= best; depth += 1) {
      const hash = await this.node.call('getblockhash', [best - depth]);
      const { tx } = Block.parse(await this.node.call('getblock', [hash]));
      if (tx.length === 1) continue; // the reward alone
      this.owed = this.options.confirmations - depth;
      break;
    }
    if ((await this.pending()) > 0) this.sealIn(COALESCE_MS);
    else if (this.owed > 0) this.sealIn(CONFIRM_EVERY_MS);
  }

  private async pending(): Promise<number> {
    return Wallets.parse(await this.node.call('getrawmempool')).length;
  }
}

/** The regtest chain writes the same scripts with a prefix of its own; the older forms are those of the public test networks. */
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
