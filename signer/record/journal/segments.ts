import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../start-error';
import { UNFINISHED_FILE } from '../replace-file';
import { syncFolder } from '../sync-folder';
import { GENESIS, HASH_CHARS, sealedText } from './chained-lines';

const DIGITS = 6;
const SEGMENT = /^journal-(\d{6})\.jsonl$/;
const INDEX = /^index-[0-9a-f-]{36}$/;
const REMOVED = /^index-.*\.old$/;
const HEADING_BYTES_MAX = 1_024;
const VERSION = 1;

/**
 * The first entry of a segment. `after` is the hash of the last sealed line before the segment. `index` names the folder of the
 * index: each takeover uses a new name, so two processes never write to the same index.
 */
const Heading = z.strictObject({
  kind: z.literal('SegmentOpened'),
  at: z.iso.datetime(),
  version: z.literal(VERSION),
  after: z.string().length(HASH_CHARS),
  index: z.uuid(),
});
export type Heading = z.infer<typeof Heading>;

const padded = (number: number) => String(number).padStart(DIGITS, '0');
export const segmentPath = (stateDir: string, number: number) => join(stateDir, `journal-${padded(number)}.jsonl`);
export const indexPath = (stateDir: string, id: string) => join(stateDir, `index-${id}`);

const namesIn = (stateDir: string) => (existsSync(stateDir) ? readdirSync(stateDir) : []);
/** Oldest first. */
export const segmentsOf = (stateDir: string): readonly number[] =>
  namesIn(stateDir)
    .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
/** The paths of all indexes, including indexes that a takeover has left. */
export const indexesOf = (stateDir: string): readonly string[] =>
  namesIn(stateDir)
    .filter((name) => INDEX.test(name))
    .map((name) => join(stateDir, name));

/**
 * Renames the folder before the removal. Otherwise a crash could leave half of the folder, and LevelDB would open this half as a
 * store that has the latest values and lacks older values.
 */
export async function removeIndex(path: string): Promise<void> {
  const old = `${path}.${randomUUID()}.old`;
  await rename(path, old);
  await syncFolder(dirname(path));
  await rm(old, { recursive: true, force: true });
}

/** Removes the rest of an index whose removal a crash interrupted, and files that a crash left unfinished. */
export async function removeLeftovers(stateDir: string): Promise<void> {
  for (const name of namesIn(stateDir).filter((one) => REMOVED.test(one) || UNFINISHED_FILE.test(one)))
    await rm(join(stateDir, name), { recursive: true, force: true });
}

/** The text with which a segment begins, and the hash of its last line. */
export function headingText(sealKey: Buffer, index: string, after = GENESIS) {
  const heading: Heading = { kind: 'SegmentOpened', at: new Date().toISOString(), version: VERSION, after, index };
  return sealedText(sealKey, [{ json: JSON.stringify(heading) }], after);
}

/** Does not check the seal. The chain covers the heading, so a reader of the whole segment notices a change. */
export async function headingOf(path: string): Promise<Heading> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADING_BYTES_MAX), 0, HEADING_BYTES_MAX, 0);
    const [first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return Heading.parse(JSON.parse(first.slice(HASH_CHARS + 1)));
  } catch (error) {
    throw new StartError(`${path} does not begin as a segment of the journal that this version knows`, { cause: error });
  } finally {
    await file.close();
  }
}
