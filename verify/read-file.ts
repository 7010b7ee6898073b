import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { z } from 'zod';
import { plain } from '../operator/charters/plain';
import { parseStrictJson } from '../platform/strict-json';
import { NotVerified, WrongUsage } from './not-verified';

/** More than the longest charter needs, even if every character is escaped. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const FAULTS_SHOWN = 5;
const READ_BYTES = 1024 * 1024;

/** Throws `WrongUsage` for a missing file, and `NotVerified` for a file that is too long. */
export function fileBytes(path: string): Buffer {
  const file = opened(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new WrongUsage(`${plain(path)} is not a file.`);
    if (stats.size > FILE_BYTES_MAX)
      throw new NotVerified(`${plain(path)} has ${stats.size} bytes. No file of the service has more than ${FILE_BYTES_MAX}.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The lines of a file of any length, without the empty lines. The last line is included even if no line end follows. */
export function* textLines(path: string): Generator<string> {
  const file = opened(path);
  try {
    const bytes = Buffer.alloc(READ_BYTES);
    let rest = Buffer.alloc(0);
    for (let count = readSync(file, bytes); count > 0; count = readSync(file, bytes)) {
      const text = Buffer.concat([rest, bytes.subarray(0, count)]);
      const end = text.lastIndexOf('\n') + 1;
      yield* text.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
      rest = Buffer.from(text.subarray(end));
      if (rest.length > FILE_BYTES_MAX) throw new NotVerified(`${plain(path)} has a line that no service writes.`);
    }
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new WrongUsage(`${plain(path)} cannot be read: ${plain((error as Error).message)}`);
  }
}

/** `what` completes the sentence "… does not hold …". Two programs must not read one file differently, so the JSON is strict. */
export function jsonIn<S extends z.ZodType>(path: string, schema: S, what: string): z.output<S> {
  const json = parseStrictJson(fileBytes(path));
  const no = `${plain(path)} does not hold ${what}`;
  if (!json.ok) throw new NotVerified(`${no}: ${plain(`${json.fault.path} ${json.fault.message}`.trim())}.`);
  const read = schema.safeParse(json.value);
  if (read.success) return read.data;
  const faults = read.error.issues.slice(0, FAULTS_SHOWN).map((one) => `${one.path.join('.')}: ${one.message}`);
  throw new NotVerified(`${no}: ${plain(faults.join('; '))}.`);
}
