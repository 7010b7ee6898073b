import { createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { ClassicLevel } from 'classic-level';
import { errorCode } from '../../error-code';
import type { ChainEnd } from './chained-lines';

/** A place in the journal: the end of a batch of one segment. */
export type Position = ChainEnd & { readonly segment: number };
/**
 * `writes` counts the batches that were written to the store, and `size` counts the names in the store. `sumHex` is the sum of
 * the tags of all values. The checkpoint itself is included in neither `size` nor `sumHex`. An earlier release did not write
 * `format`.
 */
type Checkpoint = Position & {
  readonly writes: number;
  readonly size: number;
  readonly sumHex: string;
  readonly format?: number;
};

/** Rises with each release that derives additional names from entries that already exist. */
const FORMAT = 2;

const MAC_BYTES = 16;
const CHECKPOINT = 'checkpoint';
const WRITE_PREFIX = 'write/';
const WRITE_DIGITS = 12;
const writeName = (number: number) => `${WRITE_PREFIX}${String(number).padStart(WRITE_DIGITS, '0')}`;
const SUM_MODULUS = 1n << 256n;
const DAMAGED_FILE = 'damaged';
/** LevelDB's own memory, which does not grow with the store. */
const LEVEL = { writeBufferSize: 4 * 1024 * 1024, cacheSize: 8 * 1024 * 1024, maxOpenFiles: 256 };
/** After this many values, the work pauses and waiting orders are served. */
const SEALED_AT_ONCE = 100;
/** While orders are served, the check takes about a tenth of the time of the thread that serves them. */
const CHECKED_AT_ONCE = 100;
const CHECK_PAUSE_MS = 20;

/** The store has lost or changed a value, and must be rebuilt from the journal. */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged';
}

/** LevelDB reports a table that is missing or cut short as an error of the medium. */
const LOST_FILE = /No such file or directory|Invalid argument/;
const codesOf = (error: unknown) => [error, (error as Error).cause].map(errorCode);
export const isDamage = (error: unknown): boolean => {
  const codes = codesOf(error);
  const texts = [error, (error as Error).cause].map(String);
  const isLost = codes.includes('LEVEL_IO_ERROR') && texts.some((text) => LOST_FILE.test(text));
  return error instanceof StoreDamaged || codes.includes('LEVEL_CORRUPTION') || isLost;
};
export const isLocked = (error: unknown): boolean => codesOf(error).includes('LEVEL_LOCKED');

const prefixRange = (prefix: string) => ({ gte: Buffer.from(prefix), lt: Buffer.from(`${prefix}\uffff`) });

/**
 * Names and JSON values in LevelDB, each value with a MAC over its name and content. LevelDB drops a damaged batch of its log
 * without an error, so each batch also writes a name of its own, and `open` counts these names. `check` finds names that were
 * lost or removed in any other way.
 */
export class SealedStore {
  private known: Checkpoint | undefined;
  /** True once `check` has found nothing wrong in this process. */
  isChecked = false;

  private constructor(
    private readonly level: ClassicLevel<Buffer, Buffer>,
    private readonly folder: string,
    private readonly key: Buffer,
  ) {}

  /** Throws a `StoreDamaged`, or the error of LevelDB (`isDamage`, `isLocked`). */
  static async open(folder: string, key: Buffer): Promise<SealedStore> {
    if (existsSync(join(folder, DAMAGED_FILE))) throw new StoreDamaged('an earlier process found the index damaged');
    // Names are buffers, because `getSync` of classic-level 3.0.0 may truncate a text with several bytes per character.
    const level = new ClassicLevel<Buffer, Buffer>(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
    await level.open(LEVEL);
    try {
      const store = new SealedStore(level, folder, key);
      store.known = store.get(CHECKPOINT) as Checkpoint | undefined;
      await store.assertEachWrite();
      return store;
    } catch (error) {
      await level.close();
      throw error;
    }
  }

  /** Undefined for a new store. */
  get checkpoint(): Position | undefined {
    if (!this.known) return undefined;
    const { segment, last, offsetBytes } = this.known;
    return { segment, last, offsetBytes };
  }

  /** True if this release would derive different names from the entries that the store reflects. */
  get isOfEarlierRelease(): boolean {
    return this.known !== undefined && this.known.format !== FORMAT;
  }

  get size(): number {
    return this.known?.size ?? 0;
  }

  /** Undefined if there is no such name. */
  get(name: string): unknown {
    const stored = this.level.getSync(Buffer.from(name));
    return stored === undefined ? undefined : this.opened(name, stored);
  }

  async *each(prefix: string): AsyncGenerator<unknown> {
    for await (const [name, stored] of this.level.iterator(prefixRange(prefix))) yield this.opened(name.toString(), stored);
  }

  /** The content that follows from the journal: the names in the order of their bytes, with the stored bytes of each value. */
  async *content(): AsyncGenerator<readonly [Buffer, Buffer]> {
    for await (const [name, stored] of this.level.iterator()) {
      const text = name.toString();
      // These names depend on when batches were written, and not on the journal alone.
      if (text !== CHECKPOINT && !text.startsWith(WRITE_PREFIX)) yield [name, stored];
    }
  }

  /** Writes all changes and the new checkpoint, or nothing. Resolves once the changes are on the disk. */
  async write(changes: ReadonlyMap<string, unknown>, position: Position): Promise<void> {
    const writes = (this.known?.writes ?? 0) + 1;
    let sum = BigInt(`0x${this.known?.sumHex ?? '0'}`);
    // If given a list, the library would copy each operation several times, and no order would be served during this time.
    const batch = this.level.batch();
    const put = (name: string, value: unknown) => {
      const key = Buffer.from(name);
      const json = Buffer.from(JSON.stringify(value));
      const tag = this.tagOf(name, json);
      batch.put(key, Buffer.concat([tag.subarray(0, MAC_BYTES), json]));
      return { key, tag };
    };
    let [count, size] = [0, this.size];
    for (const [name, value] of [...changes, [writeName(writes), true] as const]) {
      count += 1;
      if (count % SEALED_AT_ONCE === 0) await setImmediate();
      const { key, tag } = put(name, value);
      const earlier = this.level.getSync(key);
      if (earlier) sum -= numberOf(this.tagOf(name, earlier.subarray(MAC_BYTES)));
      else size += 1;
      sum += numberOf(tag);
    }
    sum = ((sum % SUM_MODULUS) + SUM_MODULUS) % SUM_MODULUS;
    const checkpoint: Checkpoint = { ...position, writes, size, sumHex: sum.toString(16), format: FORMAT };
    put(CHECKPOINT, checkpoint);
    await batch.write({ sync: true });
    this.known = checkpoint;
  }

  /** Reads every value, and throws a `StoreDamaged` if a value was changed or is missing. */
  async check(pace: 'AtOnce' | 'BesideOrders'): Promise<void> {
    let sum = 0n;
    let wanted: string | undefined;
    let count = 0;
    // The iterator reads the store as it was at this moment, checkpoint included.
    for await (const [key, stored] of this.level.iterator()) {
      const name = key.toString();
      const value = this.opened(name, stored);
      if (name === CHECKPOINT) wanted = (value as Checkpoint).sumHex;
      else sum += numberOf(this.tagOf(name, stored.subarray(MAC_BYTES)));
      count += 1;
      if (pace === 'BesideOrders' && count % CHECKED_AT_ONCE === 0) await delay(CHECK_PAUSE_MS, undefined, { ref: false });
    }
    if ((sum % SUM_MODULUS).toString(16) !== (wanted ?? '0'))
      throw new StoreDamaged('the index lacks a value that was written to it');
    this.isChecked = true;
  }

  /** Makes the next opening throw. Synchronous, because the process ends next. */
  markDamaged(): void {
    writeFileSync(join(this.folder, DAMAGED_FILE), '', { mode: 0o600, flush: true });
  }

  close(): Promise<void> {
    return this.level.close();
  }

  private async assertEachWrite(): Promise<void> {
    let count = 0;
    for await (const [name, stored] of this.level.iterator(prefixRange(WRITE_PREFIX))) {
      count += 1;
      if (name.toString() !== writeName(count)) break;
      this.opened(writeName(count), stored);
    }
    if (count !== (this.known?.writes ?? 0)) throw new StoreDamaged('the index lacks a batch that was written to it');
  }

  private tagOf(name: string, json: Buffer): Buffer {
    return createHmac('sha256', this.key).update(`${name}\n`).update(json).digest();
  }

  private opened(name: string, stored: Buffer): unknown {
    const json = stored.subarray(MAC_BYTES);
    const mac = stored.subarray(0, MAC_BYTES);
    if (mac.length === MAC_BYTES && timingSafeEqual(mac, this.tagOf(name, json).subarray(0, MAC_BYTES)))
      return JSON.parse(json.toString('utf8'));
    throw new StoreDamaged('a value of the index was altered or damaged');
  }
}

const numberOf = (tag: Buffer) => BigInt(`0x${tag.toString('hex')}`);
