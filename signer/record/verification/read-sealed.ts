import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartError } from '../../start-error';
import { breakIn, GENESIS, readBatches } from '../journal/chained-lines';
import type { Position } from '../journal/sealed-store';
import { type Heading, headingOf, segmentPath, segmentsOf } from '../journal/segments';
import { type FolderFault, wordsOf } from './folder-fault';

export type SealedBatch = {
  readonly jsons: readonly string[];
  /** The line of each text in the segment. */
  readonly lines: readonly number[];
  readonly end: Position;
  /** False after a fault, because the entries after a fault no longer give the signer's state. */
  readonly isUnbroken: boolean;
};

export type SealedJournal = {
  readonly segments: number;
  readonly bytes: number;
  readonly faults: readonly FolderFault[];
  /** The end of the last sealed batch of the last segment. */
  readonly end: Position | undefined;
  /** The bytes after that batch: lines that a running signer is writing, or lines that a crash left incomplete. */
  readonly unsealedBytes: number;
};

type Opened = { readonly number: number; readonly heading: Heading | undefined };

/**
 * Reads every line of every segment, and checks the seals. A fault ends the reading of its segment only, so that the first fault
 * of each segment is reported. The signer may be running.
 */
export async function readSealed(
  stateDir: string,
  sealKey: Buffer,
  visit: (batch: SealedBatch) => Promise<void>,
): Promise<SealedJournal> {
  const numbers = segmentsOf(stateDir);
  const faults = missingOf(stateDir, numbers);
  const opened: Opened[] = [];
  for (const number of numbers) opened.push(await openedOf(stateDir, number, faults));
  const sizes = await Promise.all(numbers.map(async (number) => (await stat(segmentPath(stateDir, number))).size));
  let isUnbroken = faults.length === 0;
  let end: Position | undefined;
  for (const [at, { number: segment, heading }] of opened.entries()) {
    if (!heading) continue;
    const next = opened[at + 1];
    const until = next?.number === segment + 1 ? next.heading?.after : undefined;
    const before = isUnbroken && end ? end.last : heading.after;
    const from = { last: segment === 1 ? GENESIS : before, offsetBytes: 0 };
    try {
      const read = await readBatches(segmentPath(stateDir, segment), { sealKey, from, until }, (jsons, sealed, lines) =>
        visit({ jsons, lines, end: { segment, ...sealed }, isUnbroken }),
      );
      end = { segment, ...read };
    } catch (error) {
      const found = breakIn(error);
      if (!found && !(error instanceof StartError)) throw error;
      const place = `${basename(segmentPath(stateDir, segment))}, ${found?.place ?? 'an entry'}`;
      faults.push({ place, fault: found?.fault ?? wordsOf(error) });
      [isUnbroken, end] = [false, undefined];
    }
  }
  const unsealedBytes = end ? Math.max(0, (sizes.at(-1) ?? 0) - end.offsetBytes) : 0;
  return { segments: numbers.length, bytes: sizes.reduce((sum, size) => sum + size, 0), faults, end, unsealedBytes };
}

function missingOf(stateDir: string, numbers: readonly number[]): FolderFault[] {
  const gone = Array.from({ length: numbers.at(-1) ?? 0 }, (_, at) => at + 1).filter((number) => !numbers.includes(number));
  return gone.map((number) => ({ place: basename(segmentPath(stateDir, number)), fault: 'is missing' }));
}

async function openedOf(stateDir: string, number: number, faults: FolderFault[]): Promise<Opened> {
  const path = segmentPath(stateDir, number);
  try {
    return { number, heading: await headingOf(path) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    faults.push({
      place: `${basename(path)}, line 1`,
      fault: 'the file does not begin with the heading of a segment that this version can read',
    });
    return { number, heading: undefined };
  }
}
