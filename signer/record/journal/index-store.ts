import { createHmac, timingSafeEqual } from 'node:crypto';
import { ClassicLevel } from 'classic-level';
import type { ChainEnd } from './chained-lines';

/** A place in the journal: the end of a batch of one segment. */
export type Position = ChainEnd & { readonly segment: number };

const MAC_BYTES = 16;
const CHECKPOINT = 'checkpoint';
/** The store keeps at most about twice this many changed names in memory. */
const CHANGED_NAMES_MAX = 5_000;
/** LevelDB's own memory, which does not grow with the store. */
const LEVEL = { writeBufferSize: 4 * 1024 * 1024, cacheSize: 8 * 1024 * 1024, maxOpenFiles: 256 };

type Layer = Map<string, unknown>;

/**
 * What the entries of the journal add up to, by name, on disk (LevelDB), so that memory and start do not grow with the journal.
 * Changes stay in memory until their entries are durable, and then reach the disk in one batch with the checkpoint up to which
 * the batch reflects the journal. After a crash the entries behind the checkpoint are applied again. Each value has a MAC over
 * its name and value.
 */
export class Index {
  private pending: Layer = new Map();
  private unsettled: Layer = new Map();
  private changed: Layer = new Map();
  private flushing: Layer = new Map();
  private flush: Promise<void> | undefined;
  private end: Position | undefined;

  private constructor(
    private readonly level: ClassicLevel<string, Buffer>,
    private readonly key: Buffer,
    private readonly onBroken: (cause: Error) => void,
  ) {}

  static async open(folder: string, key: Buffer, onBroken: (cause: Error) => void): Promise<Index> {
    const level = new ClassicLevel<string, Buffer>(folder, { keyEncoding: 'utf8', valueEncoding: 'buffer' });
    await level.open(LEVEL);
    return new Index(level, key, onBroken);
  }

  /** Undefined for a new store. */
  checkpoint(): Position | undefined {
    return this.get<Position>(CHECKPOINT);
  }

  /** The caller must not change the value. */
  get<T>(name: string): T | undefined {
    for (const layer of [this.pending, this.unsettled, this.changed, this.flushing])
      if (layer.has(name)) return layer.get(name) as T;
    const stored = this.level.getSync(name);
    return stored === undefined ? undefined : (this.opened(name, stored) as T);
  }

  put(name: string, value: unknown): void {
    this.pending.set(name, value);
  }

  /** From here on, changes belong to the next batch of the journal. */
  closeBatch(): void {
    for (const [name, value] of this.pending) this.unsettled.set(name, value);
    this.pending = new Map();
  }

  /** The closed batch is durable in the journal, which ends at `end`. */
  settle(end: Position): void {
    for (const [name, value] of this.unsettled) this.changed.set(name, value);
    this.unsettled = new Map();
    this.end = end;
    if (this.changed.size >= CHANGED_NAMES_MAX && !this.flush) void this.startFlush();
  }

  /** Resolves once everything that is settled is on the disk. */
  async flushed(): Promise<void> {
    while (this.flush || this.end) await (this.flush ?? this.startFlush());
  }

  /** Resolves at once, unless the disk is slower than the changes. */
  async room(): Promise<void> {
    if (this.changed.size >= CHANGED_NAMES_MAX) await this.flush;
  }

  /** Everything whose name begins with `prefix` and that is settled. */
  async *each<T>(prefix: string): AsyncGenerator<T> {
    await this.flushed();
    for await (const [name, stored] of this.level.iterator({ gte: prefix, lt: `${prefix}\uffff` }))
      yield this.opened(name, stored) as T;
  }

  /** After a failed write nothing more is flushed: the next start applies the rest again. */
  async close(isBroken: boolean): Promise<void> {
    if (!isBroken) await this.flushed();
    await this.level.close();
  }

  private startFlush(): Promise<void> {
    this.flushing = this.changed;
    this.changed = new Map();
    const { flushing, end } = this;
    this.end = undefined;
    // The library copies each operation of a list several times, and no order is served meanwhile.
    const batch = this.level.batch();
    for (const [name, value] of flushing) batch.put(name, this.sealed(name, value));
    batch.put(CHECKPOINT, this.sealed(CHECKPOINT, end));
    this.flush = batch.write({ sync: true }).then(
      () => {
        this.flushing = new Map();
        this.flush = undefined;
      },
      (error: Error) => {
        // The journal has everything, but this process could not find it again once it leaves the memory.
        this.onBroken(error);
        throw error;
      },
    );
    this.flush.catch(() => undefined);
    return this.flush;
  }

  private macOf(name: string, json: Buffer): Buffer {
    return createHmac('sha256', this.key).update(`${name}\n`).update(json).digest().subarray(0, MAC_BYTES);
  }

  private sealed(name: string, value: unknown): Buffer {
    const json = Buffer.from(JSON.stringify(value));
    return Buffer.concat([this.macOf(name, json), json]);
  }

  private opened(name: string, stored: Buffer): unknown {
    const json = stored.subarray(MAC_BYTES);
    const mac = stored.subarray(0, MAC_BYTES);
    if (mac.length === MAC_BYTES && timingSafeEqual(mac, this.macOf(name, json))) return JSON.parse(json.toString('utf8'));
    const error = new Error('a value of the index was altered or damaged');
    this.onBroken(error);
    throw error;
  }
}
