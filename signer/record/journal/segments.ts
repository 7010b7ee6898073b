import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../start-error';
import { GENESIS, HASH_CHARS, sealedText } from './chained-lines';

const DIGITS = 6;
const SEGMENT = /^journal-(\d{6})\.jsonl$/;
const INDEX = /^index-(\d{6})$/;
const HEADING_BYTES_MAX = 1_024;
const VERSION = 1;

/** The first entry of a segment. `after` is the hash of the last sealed line before the segment. */
const Heading = z.strictObject({
  kind: z.literal('SegmentOpened'),
  at: z.iso.datetime(),
  version: z.literal(VERSION),
  after: z.string().length(HASH_CHARS),
});
export type Heading = z.infer<typeof Heading>;

const padded = (number: number) => String(number).padStart(DIGITS, '0');
export const segmentPath = (stateDir: string, number: number) => join(stateDir, `journal-${padded(number)}.jsonl`);
/** An index belongs to the segment with the same number, so an earlier holder of the folder cannot write to a later index. */
export const indexPath = (stateDir: string, number: number) => join(stateDir, `index-${padded(number)}`);

const numbersOf = (stateDir: string, form: RegExp): readonly number[] =>
  (existsSync(stateDir) ? readdirSync(stateDir) : [])
    .flatMap((name) => form.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
export const segmentsOf = (stateDir: string) => numbersOf(stateDir, SEGMENT);
export const indexesOf = (stateDir: string) => numbersOf(stateDir, INDEX);

/** The text with which a segment begins, and the hash of its last line. */
export function headingText(sealKey: Buffer, after = GENESIS) {
  const heading: Heading = { kind: 'SegmentOpened', at: new Date().toISOString(), version: VERSION, after };
  return sealedText(sealKey, [{ json: JSON.stringify(heading) }], after);
}

/** The hash after which the segment continues. The chain covers the heading, so a reader of the segment notices another hash. */
export async function previousHashOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADING_BYTES_MAX), 0, HEADING_BYTES_MAX, 0);
    const [first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return Heading.parse(JSON.parse(first.slice(HASH_CHARS + 1))).after;
  } catch (error) {
    throw new StartError(`${path} does not begin as a segment of the journal that this version knows`, { cause: error });
  } finally {
    await file.close();
  }
}
