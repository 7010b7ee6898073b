import { errorCode } from '../../error-code';
import { isDamage, type Position, type SealedStore } from './sealed-store';

/** The index keeps at most about twice this many changed names in memory. */
const CHANGED_NAMES_MAX = 5_000;

type Layer = Map<string, unknown>;

/**
 * The state that follows from the journal's entries, by name. The index is on disk, so that memory and start time do not grow
 * with the journal. Changes stay in memory until their entries are durable, and then reach the store in one batch with the
 * position up to which the batch reflects the journal. After a crash the entries after this position are applied again.
 */
export class Index {
  private pending: Layer = new Map();
  private unsettled: Layer = new Map();
  private changed: Layer = new Map();
  private flushing: Layer = new Map();
  private flush: Promise<void> | undefined;
  private end: Position | undefined;
  private isClosed = false;

  constructor(
    private readonly store: SealedStore,
    private readonly onBroken: (cause: Error) => void,
  ) {}

  /** Undefined for a new index. */
  checkpoint(): Position | undefined {
    return this.store.checkpoint;
  }

  /** The caller must not change the value. */
  get<T>(name: string): T | undefined {
    for (const layer of [this.pending, this.unsettled, this.changed, this.flushing])
      if (layer.has(name)) return layer.get(name) as T;
    try {
      return this.store.get(name) as T | undefined;
    } catch (error) {
      throw this.broken(error);
    }
  }

  put(name: string, value: unknown): void {
    this.pending.set(name, value);
  }

  /** From here on, changes belong to the next batch of the journal. */
  closeBatch(): void {
    for (const [name, value] of this.pending) this.unsettled.set(name, value);
    this.pending = new Map();
  }

  /** Must be called once the closed batch is durable in the journal, which then ends at `end`. */
  settle(end: Position): void {
    for (const [name, value] of this.unsettled) this.changed.set(name, value);
    this.unsettled = new Map();
    this.end = end;
    if (this.changed.size >= CHANGED_NAMES_MAX && !this.flush) void this.startFlush(end);
  }

  /** Resolves once everything that is settled now is on the disk. */
  async flushed(): Promise<void> {
    // Changes that are settled during a flush start another flush. Under load, waiting for every such flush would never end.
    await this.flush;
    await (this.flush ?? (this.end && this.startFlush(this.end)));
  }

  /** Resolves at once, unless the disk is slower than the changes. */
  async room(): Promise<void> {
    if (this.changed.size >= CHANGED_NAMES_MAX) await this.flush;
  }

  /** All settled values whose names begin with `prefix`. */
  async *each<T>(prefix: string): AsyncGenerator<T> {
    await this.flushed();
    for await (const value of this.store.each(prefix)) yield value as T;
  }

  /** Reads everything on the disk, slowly, and stops the process if a value was changed or is missing. */
  async check(): Promise<void> {
    if (this.store.isChecked) return;
    try {
      await this.store.check('BesideOrders');
    } catch (error) {
      if (!this.isClosed) this.broken(error);
    }
  }

  /** After a failed write nothing more is flushed: the next start applies the rest again. */
  async close(isBroken: boolean): Promise<void> {
    if (!isBroken) await this.flushed();
    this.isClosed = true;
    await this.store.close();
  }

  private startFlush(end: Position): Promise<void> {
    this.flushing = this.changed;
    this.changed = new Map();
    this.end = undefined;
    this.flush = this.store.write(this.flushing, end).then(
      () => {
        this.flushing = new Map();
        this.flush = undefined;
      },
      (error: unknown) => {
        // The journal has the changes, but this process could no longer find them after removing them from memory.
        throw this.broken(error);
      },
    );
    this.flush.catch(() => undefined);
    return this.flush;
  }

  /** No order can be judged without the index. The next start rebuilds a damaged index. */
  private broken(error: unknown): Error {
    const cause = error instanceof Error ? error : new Error('the index failed');
    if (this.isClosed || errorCode(error) === 'LEVEL_DATABASE_NOT_OPEN') return cause;
    try {
      if (isDamage(error)) this.store.markDamaged();
    } finally {
      this.onBroken(cause);
    }
    return cause;
  }
}
