import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StartError } from '../start-error';

const NEW_LINE = 0x0a;
export const HASH_CHARS = 64;
/** The hash that precedes the first line. */
export const GENESIS = '0'.repeat(HASH_CHARS);
/** A compacted file begins with this text, and no entry begins with this text. */
export const HEADING = '{"shortened":';

export const chain = (previous: string, json: string) =>
  createHash('sha256').update(previous).update('\n').update(json).digest('hex');

/** Yields the complete lines, and finally the incomplete rest. Reads only the first `bytes` bytes of the file. */
export async function* linesOf(
  path: string,
  bytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<{ line: Buffer; isWhole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  if (bytes === 0) return;
  for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      yield { line: rest.subarray(0, end), isWhole: true };
      rest = rest.subarray(end + 1);
    }
  }
  yield { line: rest, isWhole: false };
}

/** Returns the hash of the last whole line, the offset of its end, and the number of bytes that follow. */
export async function readLines(path: string, visit: (entry: unknown, json: string) => void) {
  let last = GENESIS;
  let count = 0;
  let goodBytes = 0;
  for await (const { line, isWhole } of linesOf(path)) {
    if (!isWhole) return { last, goodBytes, tornBytes: line.length };
    const text = line.toString('utf8');
    const json = text.slice(HASH_CHARS + 1);
    count += 1;
    if (text.slice(0, HASH_CHARS) !== chain(last, json)) throw new StartError(`${path} was altered or damaged at line ${count}`);
    try {
      if (!json.startsWith(HEADING)) visit(JSON.parse(json), json);
    } catch (error) {
      throw new StartError(`${path} holds an entry at line ${count} that this version does not know`, { cause: error });
    }
    last = text.slice(0, HASH_CHARS);
    goodBytes += line.length + 1;
  }
  return { last, goodBytes, tornBytes: 0 };
}
