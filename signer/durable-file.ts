import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from './start-error';

const NEW_LINE = 0x0a;
const HASH_CHARS = 64;
const GENESIS = '0'.repeat(HASH_CHARS);

const chain = (previous: string, json: string) => createHash('sha256').update(previous).update('\n').update(json).digest('hex');

/**
 * An append-only file of JSON lines, each behind the hash over itself and the line before. A last line without its end
 * was never acknowledged and is cut off at start; any other line that does not fit makes the start fail.
 */
export class DurableFile {
  private waiting: { line: string; settle: (error?: Error) => void }[] = [];
  private writing: Promise<void> | undefined;
  private broken: Error | undefined;

  private constructor(
    private readonly handle: FileHandle,
    private last: string,
    private readonly onBroken: (cause: Error) => void,
    /** Bytes of a torn last line that were cut off at start. */
    readonly tornBytes: number,
  ) {}

  /**
   * Calls `visit` for every entry in order; what it throws makes the start fail with a `StartError`. `onBroken` hears once that nothing can be
   * written any more: only a new start, which reads what really stands on the medium, helps then.
   */
  static async open(path: string, visit: (entry: unknown) => void, onBroken: (cause: Error) => void): Promise<DurableFile> {
    const handle = await open(path, 'a', 0o600);
    try {
      await syncFolder(dirname(path));
      const { last, goodBytes, tornBytes } = await readLines(path, visit);
      if (tornBytes > 0) {
        await handle.truncate(goodBytes);
        await handle.datasync();
      }
      return new DurableFile(handle, last, onBroken, tornBytes);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Resolves once the entry is on the medium. Entries that arrive during one write share the next. */
  append(entry: unknown): Promise<void> {
    const json = JSON.stringify(entry);
    this.last = chain(this.last, json);
    const line = `${this.last} ${json}\n`;
    const durable = new Promise<void>((resolve, reject) => {
      this.waiting.push({ line, settle: (error) => (error ? reject(error) : resolve()) });
    });
    this.writing ??= this.drain();
    return durable;
  }

  async close(): Promise<void> {
    await this.writing;
    await this.handle.close();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        if (this.broken) throw this.broken;
        await this.handle.appendFile(batch.map(({ line }) => line).join(''));
        await this.handle.datasync();
      } catch (error) {
        // Half a line may stand in the file now, and after a failed sync the kernel forgets what was dirty: nothing may follow.
        if (!this.broken) {
          this.broken = error instanceof Error ? error : new Error('the write failed');
          this.onBroken(this.broken);
        }
      }
      for (const { settle } of batch) settle(this.broken);
    }
    this.writing = undefined;
  }
}

/** Visits every whole line and answers the hash of the last, where it ends, and how many bytes stand behind it. */
async function readLines(path: string, visit: (entry: unknown) => void) {
  let last = GENESIS;
  let line = 0;
  let goodBytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      const text = rest.toString('utf8', 0, end);
      const json = text.slice(HASH_CHARS + 1);
      line += 1;
      if (text.slice(0, HASH_CHARS) !== chain(last, json)) throw new StartError(`${path} was altered or damaged at line ${line}`);
      try {
        visit(JSON.parse(json));
      } catch (error) {
        throw new StartError(`${path} holds an entry at line ${line} that this version does not know`, { cause: error });
      }
      last = text.slice(0, HASH_CHARS);
      goodBytes += end + 1;
      rest = rest.subarray(end + 1);
    }
  }
  return { last, goodBytes, tornBytes: rest.length };
}

/** Without it the new name of a file may be lost though its content was synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
