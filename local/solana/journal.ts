import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const Line = z.union([
  z.strictObject({ genesisMs: z.int() }),
  z.strictObject({ advance: z.int().positive() }),
  z.strictObject({ slot: z.int(), wire: z.base64() }),
]);
export type Line = z.output<typeof Line>;

/** Each line is a JSON text. Each line is on the disk before its caller gets a reply. */
export class Journal {
  private constructor(
    private readonly descriptor: number,
    readonly lines: readonly Line[],
  ) {}

  /**
   * Opens the file, and removes an incomplete last line. A crash interrupted the writing of this line, so no caller got a
   * reply.
   */
  static open(file: string): Journal {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, 'a', 0o600);
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
    const lines = whole.split('\n').filter((line) => line !== '');
    return new Journal(
      descriptor,
      lines.map((line) => Line.parse(JSON.parse(line))),
    );
  }

  add(line: Line): void {
    writeSync(this.descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(this.descriptor);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
