import { z } from 'zod';
import { ChainLock } from './chain-lock';
import type { ChainNode } from './chain-node';
import { readState, writeState } from './chain-state';

/** Transactions that arrive within this window share a block. */
const COALESCE_MS = 50;
/** Pace of the empty blocks that confirm the last transaction. */
const CONFIRM_EVERY_MS = 250;

const Block = z.object({ number: z.string(), transactions: z.array(z.unknown()) });
const Pool = z.object({ pending: z.string() });

interface BlocksOptions {
  readonly stateFile: string;
  /** Empty blocks mined on top of a block with transactions. */
  readonly confirmations: number;
  readonly onDeath: (reason: string) => void;
}

/** Decides when a block is mined, and writes the chain to disk before anybody may read from that block. */
export class Blocks {
  private readonly gate = new ChainLock();
  private timer: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | undefined;
  private owed = 0;
  private mining = true;

  constructor(
    private readonly node: ChainNode,
    private readonly options: BlocksOptions,
  ) {}

  /** Takes up the chain where the last run left it, confirmations still owed included. */
  async load(): Promise<void> {
    const state = await readState(this.options.stateFile);
    if (state === undefined) return this.change(async () => undefined);
    await this.node.call('anvil_loadState', [state]).catch((error: unknown) => {
      throw new Error(`The chain in ${this.options.stateFile} cannot be loaded; \`npm run reset\` starts a new one`, {
        cause: error,
      });
    });
    await this.recount();
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.gate.shared(work);
  }

  /** Runs what may alter the chain by hand (a reorg, a balance), and keeps the result as if it were a block. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    return this.gate.exclusive(async () => {
      const result = await work();
      await this.save();
      await this.recount();
      return result;
    });
  }

  transactionArrived(): void {
    this.sealIn(COALESCE_MS);
  }

  setMining(on: boolean): void {
    this.mining = on;
    if (on) this.sealIn(0);
  }

  async stop(): Promise<void> {
    this.mining = false;
    await this.gate.exclusive(async () => {
      if ((await this.pending()) > 0) await this.node.call('evm_mine');
      await this.save();
    });
    if (this.timer) clearTimeout(this.timer.handle); // last, since a block that was being sealed sets the next one's timer
  }

  private sealIn(afterMs: number): void {
    const dueMs = performance.now() + afterMs;
    if (this.timer && this.timer.dueMs <= dueMs) return;
    if (this.timer) clearTimeout(this.timer.handle);
    const handle = setTimeout(() => {
      this.timer = undefined;
      this.seal().catch((error: unknown) => this.options.onDeath(`A block could not be sealed: ${String(error)}`));
    }, afterMs);
    this.timer = { dueMs, handle };
  }

  private async seal(): Promise<void> {
    await this.gate.exclusive(async () => {
      if (!this.mining) return;
      const waiting = await this.pending();
      if (waiting === 0 && this.owed === 0) return;
      await this.node.call('evm_mine');
      await this.save();
      await this.recount();
    });
  }

  /** Counts the confirmations still owed from the chain itself, so that a restart or a reorg cannot make it forget them. */
  private async recount(): Promise<void> {
    const best = Number(await this.node.call('eth_blockNumber'));
    this.owed = 0;
    for (let depth = 0; depth < this.options.confirmations && depth <= best; depth += 1) {
      const block = Block.parse(await this.node.call('eth_getBlockByNumber', [`0x${(best - depth).toString(16)}`, false]));
      if (block.transactions.length === 0) continue;
      this.owed = this.options.confirmations - depth;
      break;
    }
    if ((await this.pending()) > 0) this.sealIn(COALESCE_MS);
    else if (this.owed > 0) this.sealIn(CONFIRM_EVERY_MS);
  }

  private async pending(): Promise<number> {
    return Number(Pool.parse(await this.node.call('txpool_status')).pending);
  }

  private async save(): Promise<void> {
    const dump = z.string().parse(await this.node.call('anvil_dumpState'));
    await writeState(this.options.stateFile, dump);
  }
}
