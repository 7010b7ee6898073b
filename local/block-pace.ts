import { ChainLock } from './chain-lock';

/** Transactions that arrive within this time get into the same block. */
const COALESCE_MS = 50;
/** The time between two empty blocks that confirm the last transaction. */
const CONFIRM_EVERY_MS = 250;

export interface MinedChain {
  pending(): Promise<number>;
  /** Mines one block. Resolves when the block is on disk: until then no client may read the block. */
  seal(): Promise<void>;
  height(): Promise<number>;
  /** True if the block contains transactions in addition to its reward. */
  hasTransactions(height: number): Promise<boolean>;
}

export interface PaceOptions {
  /** The number of empty blocks on top of a block with transactions. */
  readonly confirmations: number;
  readonly onDeath: (reason: string) => void;
}

/** Decides when the chain mines. While the chain changes, no reader can read it. */
export class BlockPace {
  private readonly lock = new ChainLock();
  private timer: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | undefined;
  private owed = 0;
  private mining = true;

  constructor(
    private readonly chain: MinedChain,
    private readonly options: PaceOptions,
  ) {}

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.lock.shared(work);
  }

  /** Runs a change other than the mining of a block on demand, such as a reorganisation. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.lock.exclusive(async () => {
      const result = await work();
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

  async stop(last: () => Promise<void> = async () => undefined): Promise<void> {
    this.mining = false;
    await this.lock.exclusive(last);
    if (this.timer) clearTimeout(this.timer.handle); // the timer is cleared last, because mining a block sets the timer
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
    await this.lock.exclusive(async () => {
      if (!this.mining) return;
      if ((await this.chain.pending()) === 0 && this.owed === 0) return;
      await this.chain.seal();
      await this.recount();
    });
  }

  /**
   * Reads the number of missing confirming blocks from the chain, so that it is also right after a restart or a reorganisation.
   */
  private async recount(): Promise<void> {
    const best = await this.chain.height();
    this.owed = 0;
    for (let depth = 0; depth < this.options.confirmations && depth <= best; depth += 1) {
      if (!(await this.chain.hasTransactions(best - depth))) continue;
      this.owed = this.options.confirmations - depth;
      break;
    }
    if ((await this.chain.pending()) > 0) this.sealIn(COALESCE_MS);
    else if (this.owed > 0) this.sealIn(CONFIRM_EVERY_MS);
  }
}
