import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chain, readLines } from './chained-lines';
import { compactLog, type Summarise } from './compact-log';
import { syncFolder } from './sync-folder';

/** `mustCopy` is true if an earlier process may still have the file open (see `FolderLease`). */
export type Fence = { readonly mustCopy: boolean; assertHeld(): void };

export type FileOptions = {
  readonly fence?: Fence | undefined;
  /** If the shorter entries save enough bytes, the start rewrites the file. */
  readonly summarise?: Summarise | undefined;
  readonly gainBytesMin?: number;
};
/** A smaller gain is not worth rewriting the file. */
const GAIN_BYTES_MIN = 64 * 1024 * 1024;

/**
 * An append-only file of JSON lines. The hash before each line covers the line and the previous hash. The start cuts off an
 * incomplete last line, which was never acknowledged. A line with a wrong hash makes the start fail.
 */
export class DurableFile {
  private waiting: { line: string; settle: (error?: Error) => void }[] = [];
  private writing: Promise<void> | undefined;
  private isDraining = false;
  private broken: Error | undefined;

  private constructor(
    private readonly handle: FileHandle,
    private last: string,
    private readonly onBroken: (cause: Error) => void,
    /** Bytes of a torn last line that were cut off at start. */
    readonly tornBytes: number,
    private readonly fence: Fence | undefined,
  ) {}

  /**
   * If `visit` throws, the start fails with a `StartError`. `onBroken` is called once when writing has become impossible. The
   * process must then be restarted, because only a start reads the disk.
   */
  static async open(
    path: string,
    visit: (entry: unknown) => void,
    onBroken: (cause: Error) => void,
    { fence, summarise, gainBytesMin = GAIN_BYTES_MIN }: FileOptions = {},
  ): Promise<DurableFile> {
    // If this file exists, a crash interrupted a compaction. The signer has never used such a file.
    await rm(`${path}.new`, { force: true });
    let gainBytes = 0;
    const weigh = (entry: unknown, json: string) => {
      const shorter = summarise?.(entry);
      if (shorter !== undefined) gainBytes += json.length - JSON.stringify(shorter).length;
      visit(entry);
    };
    let handle = await open(path, 'a', 0o600);
    try {
      await syncFolder(dirname(path));
      const { last, goodBytes, tornBytes } = await readLines(path, weigh);
      const isShortened = gainBytes >= gainBytesMin;
      let end = last;
      if (isShortened || fence?.mustCopy) {
        end = await compactLog(path, { last, goodBytes }, isShortened ? summarise : undefined);
        const fresh = await open(path, 'a', 0o600);
        await handle.close();
        handle = fresh;
      } else if (tornBytes > 0) {
        await handle.truncate(goodBytes);
        await handle.datasync();
      }
      return new DurableFile(handle, end, onBroken, tornBytes, fence);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Resolves once the entry is durable. Entries that arrive during one write share the next write. */
  append(entry: unknown): Promise<void> {
    const json = JSON.stringify(entry);
    this.last = chain(this.last, json);
    const line = `${this.last} ${json}\n`;
    const durable = new Promise<void>((resolve, reject) => {
      this.waiting.push({ line, settle: (error) => (error ? reject(error) : resolve()) });
    });
    // The entry has a promise of its own, because `drain` does not reject even if a write fails.
    if (!this.isDraining) this.writing = this.drain();
    return durable;
  }

  async close(): Promise<void> {
    await this.writing;
    await this.handle.close();
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        if (this.broken) throw this.broken;
        this.fence?.assertHeld();
        await this.handle.appendFile(batch.map(({ line }) => line).join(''));
        await this.handle.datasync();
        // After a takeover the new owner may have read the file without this entry.
        this.fence?.assertHeld();
      } catch (error) {
        // The file may now end in half a line, and after a failed sync the kernel drops the dirty pages. Nothing more may be
        // appended.
        if (!this.broken) {
          this.broken = error instanceof Error ? error : new Error('the write failed');
          this.onBroken(this.broken);
        }
      }
      for (const { settle } of batch) settle(this.broken);
    }
    this.isDraining = false;
  }
}
