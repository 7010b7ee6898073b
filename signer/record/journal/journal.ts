import { type FileHandle, open } from 'node:fs/promises';
import { type JournalLine, journalLineOf, sealedText } from './chained-lines';
import { applyEntry, type Entry } from './entries';
import type { Index } from './index-store';
import type { JournalKeys } from './journal-keys';
import type { Position } from './sealed-store';

/** `mustCopy` is true if an earlier process may still have the file open (see `FolderLease`). */
export type Fence = {
  readonly mustCopy: boolean;
  /** True if the earlier process ran, or runs, on this machine. */
  readonly isSameMachine?: boolean;
  assertHeld(): void;
};

/** A second place that gets each batch. */
export interface Mirror {
  /** Resolves once the batch that ends at `end` is durable in the second place. Rejects only if this has become impossible. */
  put(text: string, end: Position): Promise<void>;
}

class Batch {
  readonly lines: JournalLine[] = [];
  settle: (error?: Error) => void = () => undefined;
  readonly durable = new Promise<void>((resolve, reject) => {
    this.settle = (error) => (error ? reject(error) : resolve());
  });
  constructor() {
    // A waiting caller gets the rejection as well. If no caller waits, the rejection must not end the process.
    this.durable.catch(() => undefined);
  }
}

type Parts = {
  readonly path: string;
  readonly end: Position;
  readonly keys: JournalKeys;
  readonly index: Index;
  readonly fence: Fence | undefined;
  /**
   * Called once when writing has become impossible. The process must then be restarted, because the disk is read only at the
   * start.
   */
  readonly onBroken: (cause: Error) => void;
  /** Bytes of a torn last batch that were cut off at start. */
  readonly tornBytes: number;
};

/**
 * An append-only file of everything that the signer has made or promised. The lines form a hash chain and are written in batches.
 * Each batch ends with a seal that needs the journal's key. An entry takes effect in the index at once, but may become visible
 * outside the process only after its batch is durable.
 */
export class Journal {
  private waiting = new Batch();
  private current: Batch | undefined;
  private broken: Error | undefined;
  private mirror: Mirror | undefined;

  private constructor(
    private readonly handle: FileHandle,
    private end: Position,
    private readonly parts: Parts,
  ) {}

  static async open(parts: Parts): Promise<Journal> {
    return new Journal(await open(parts.path, 'a', 0o600), parts.end, parts);
  }

  get index(): Index {
    return this.parts.index;
  }

  /** Stored with the journal, because the key must outlive restarts, rotations and restores. */
  get anchorKey(): Buffer {
    return this.parts.keys.anchor;
  }

  get attestationSeed(): Buffer {
    return this.parts.keys.attestation;
  }

  get sealKey(): Buffer {
    return this.parts.keys.seal;
  }

  get tornBytes(): number {
    return this.parts.tornBytes;
  }

  /** From the next batch on, an entry is durable only when the mirror has it too. */
  replicateTo(mirror: Mirror): void {
    this.mirror = mirror;
  }

  /** Resolves once the entry is durable. Entries that arrive during one write share the next write. */
  readonly append = (entry: Entry, attachment?: unknown): Promise<void> => {
    if (this.broken) return Promise.reject(this.broken);
    const line = journalLineOf({ at: new Date().toISOString(), ...entry }, attachment);
    try {
      applyEntry(this.index, entry);
    } catch (error) {
      // A part of the entry may be in the index already, and must never become part of a later batch.
      return Promise.reject(this.fail(error));
    }
    const { durable, lines } = this.waiting;
    lines.push(line);
    if (!this.current) void this.drain();
    return durable;
  };

  /** Resolves once every entry up to this call is durable. */
  async settled(): Promise<void> {
    if (this.broken) throw this.broken;
    if (this.waiting.lines.length > 0) await this.waiting.durable;
    else await this.current?.durable;
  }

  async close(): Promise<void> {
    await this.settled().catch(() => undefined);
    await this.index.close(this.broken !== undefined);
    await this.handle.close();
  }

  private async drain(): Promise<void> {
    while (this.waiting.lines.length > 0) {
      const batch = this.waiting;
      this.current = batch;
      this.waiting = new Batch();
      this.index.closeBatch();
      try {
        if (this.broken) throw this.broken;
        await this.write(batch.lines);
        this.index.settle(this.end);
      } catch (error) {
        // The file may now end in half a line, and after a failed sync the kernel drops the dirty pages. Nothing more may be
        // appended.
        this.fail(error);
      }
      batch.settle(this.broken);
    }
    this.current = undefined;
  }

  private fail(error: unknown): Error {
    if (this.broken) return this.broken;
    this.broken = error instanceof Error ? error : new Error('the write failed');
    this.parts.onBroken(this.broken);
    return this.broken;
  }

  private async write(lines: readonly JournalLine[]): Promise<void> {
    const { fence, keys } = this.parts;
    fence?.assertHeld();
    const { text, last } = sealedText(keys.seal, lines, this.end.last);
    const end = { ...this.end, last, offsetBytes: this.end.offsetBytes + Buffer.byteLength(text) };
    await this.handle.appendFile(text);
    // The batch goes to the mirror after the write: a process that is killed never leaves the mirror with a batch that this file
    // lacks.
    await Promise.all([this.handle.datasync(), this.mirror?.put(text, end)]);
    // After a takeover the new owner may have read the file without this entry.
    fence?.assertHeld();
    this.end = end;
  }
}
