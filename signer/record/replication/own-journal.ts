import { open } from 'node:fs/promises';
import { altered, GENESIS, readBatches, SEAL_LINE_BYTES } from '../journal/chained-lines';
import type { Position } from '../journal/sealed-store';
import { headingOf, segmentPath, segmentsOf } from '../journal/segments';
import type { ReplicaSession } from './replica-session';

/** Batches are sent together up to about this size. */
const SENT_AT_ONCE = 256 * 1024;
/**
 * The limit for each write while the replica receives a long journal. Such a write takes longer than the write of a single batch.
 */
const CATCH_UP_MS = 30_000;

async function bytesOf(path: string, start: number, end: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The hash of the line after which the next segment continues. Later lines are late writes of a process that lost the folder. */
async function untilOf(stateDir: string, segment: number): Promise<string | undefined> {
  if (!segmentsOf(stateDir).includes(segment + 1)) return undefined;
  return (await headingOf(segmentPath(stateDir, segment + 1))).after;
}

/** True if the journal of the folder has exactly this place. Reads the rest of the segment if other segments follow. */
export async function hasPlace(stateDir: string, sealKey: Buffer, place: Position): Promise<boolean> {
  const { segment, last, offsetBytes } = place;
  if (offsetBytes === 0) return segment === 1 && last === GENESIS;
  if (!segmentsOf(stateDir).includes(segment)) return false;
  const path = segmentPath(stateDir, segment);
  const line = await bytesOf(path, Math.max(0, offsetBytes - SEAL_LINE_BYTES), offsetBytes);
  const text = line.toString('latin1');
  if (!text.startsWith(last) || text.length !== SEAL_LINE_BYTES || !text.endsWith('\n')) return false;
  const until = await untilOf(stateDir, segment);
  if (until === undefined) return true;
  try {
    await readBatches(path, { sealKey, from: place, until }, () => undefined);
    return true;
  } catch {
    return false;
  }
}

/** Checks and sends every batch after `from`, and returns the end of the last batch. Throws a `StartError`. */
export async function sendBehind(
  stateDir: string,
  sealKey: Buffer,
  session: Pick<ReplicaSession, 'put'>,
  from: Position,
): Promise<Position> {
  let end = from;
  for (const segment of segmentsOf(stateDir).filter((one) => one >= from.segment)) {
    const path = segmentPath(stateDir, segment);
    const start = segment === from.segment ? from : { last: end.last, offsetBytes: 0 };
    let sent = start.offsetBytes;
    const send = async (until: number) => {
      if (until > sent) await session.put({ segment, offsetBytes: sent }, await bytesOf(path, sent, until), CATCH_UP_MS);
      sent = until;
    };
    try {
      const reading = { sealKey, from: start, until: await untilOf(stateDir, segment) };
      const read = await readBatches(path, reading, async (_jsons, { offsetBytes }) => {
        if (offsetBytes - sent >= SENT_AT_ONCE) await send(offsetBytes);
      });
      await send(read.offsetBytes);
      end = { segment, ...read };
    } catch (error) {
      throw altered(path, error, start.offsetBytes);
    }
  }
  return end;
}
