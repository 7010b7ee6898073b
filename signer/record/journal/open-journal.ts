import { open, rm, stat } from 'node:fs/promises';
import { errorCode } from '../../error-code';
import type { KekProvider } from '../../keys/kek';
import { StartError } from '../../start-error';
import { createFile } from '../replace-file';
import { altered, GENESIS, readBatches, SEAL_LINE_BYTES } from './chained-lines';
import { applyEntry, isKnownEntry } from './entries';
import { moveFormerFiles } from './former-files';
import { Index, type Position } from './index-store';
import { type Fence, Journal } from './journal';
import { type JournalKeys, openJournalKeys } from './journal-keys';
import { alignFolders } from './replica';
import { headingText, indexesOf, indexPath, previousHashOf, segmentPath, segmentsOf } from './segments';

type Wanted = {
  readonly stateDir: string;
  /** A second folder that gets every batch before it counts as durable. */
  readonly replicaDir?: string | undefined;
  readonly kek: KekProvider;
  readonly onBroken: (cause: Error) => void;
  readonly fence?: Fence | undefined;
};

/**
 * Opens the journal and its index. Without an index the whole journal is read. With an index only the entries behind its
 * checkpoint are read. A holder that takes over from a signer that may still run begins a new segment and a new index, so later
 * writes of that signer have no effect. Throws a `StartError` if a file was altered, and `KekUnavailable` (`openJournalKeys`).
 */
export async function openJournal({ stateDir, replicaDir, kek, onBroken, fence }: Wanted): Promise<Journal> {
  if (replicaDir !== undefined) await alignFolders(stateDir, replicaDir);
  const isNew = segmentsOf(stateDir).length === 0;
  const keys = await openJournalKeys(stateDir, kek, isNew);
  if (isNew && !(await moveFormerFiles(stateDir, keys.seal)))
    await createFile(segmentPath(stateDir, 1), async (put) => put(headingText(keys.seal).text));
  const segments = segmentsOf(stateDir);
  const last = segments.at(-1) ?? 1;
  const number = fence?.mustCopy && !isNew ? last + 1 : last;
  const index = await openIndex(indexPath(stateDir, number), keys, onBroken, number > last);
  try {
    let end = await readFrom(stateDir, segments, keys, index);
    if (number > last) {
      const from = { segment: number, last: end.last, offsetBytes: 0 };
      await createFile(segmentPath(stateDir, number), async (put) => put(headingText(keys.seal, from.last).text));
      end = await readFrom(stateDir, [number], keys, index, from);
    }
    const path = segmentPath(stateDir, number);
    const tornBytes = await cutOff(path, end);
    for (const old of indexesOf(stateDir)) if (old !== number) await rm(indexPath(stateDir, old), { recursive: true });
    if (replicaDir !== undefined) await alignFolders(stateDir, replicaDir);
    const paths = [path, ...(replicaDir === undefined ? [] : [segmentPath(replicaDir, number)])];
    return await Journal.open({ paths, end, keys, index, fence, onBroken, tornBytes });
  } catch (error) {
    await index.close(true);
    throw error;
  }
}

/** A damaged index is made again from the journal, as is one that an earlier attempt to take over has left. */
async function openIndex(path: string, keys: JournalKeys, onBroken: Wanted['onBroken'], isFresh: boolean): Promise<Index> {
  if (isFresh) await rm(path, { recursive: true, force: true });
  try {
    return await Index.open(path, keys.value, onBroken);
  } catch (error) {
    if (errorCode((error as Error).cause) === 'LEVEL_LOCKED')
      throw new StartError(`another process uses ${path}`, { cause: error });
    await rm(path, { recursive: true, force: true });
    return Index.open(path, keys.value, onBroken);
  }
}

/** Applies the entries behind `from` to the index, up to the last sealed one. */
async function readFrom(
  stateDir: string,
  segments: readonly number[],
  keys: JournalKeys,
  index: Index,
  from: Position = index.checkpoint() ?? { segment: segments[0] ?? 1, last: GENESIS, offsetBytes: 0 },
): Promise<Position> {
  await assertReached(stateDir, from);
  let end = from;
  for (const [at, segment] of segments.entries()) {
    if (segment < from.segment) continue;
    const path = segmentPath(stateDir, segment);
    const next = segments[at + 1];
    const until = next === undefined ? undefined : await previousHashOf(segmentPath(stateDir, next));
    const start = segment === from.segment ? from : { last: end.last, offsetBytes: 0 };
    try {
      const read = await readBatches(path, { sealKey: keys.seal, from: start, until }, async (jsons, { last, offsetBytes }) => {
        for (const json of jsons) apply(index, json);
        index.closeBatch();
        index.settle({ segment, last, offsetBytes });
        await index.room();
      });
      end = { segment, last: read.last, offsetBytes: read.offsetBytes };
    } catch (error) {
      throw altered(path, error, start.offsetBytes);
    }
  }
  return end;
}

function apply(index: Index, json: string): void {
  const entry: { readonly kind?: unknown } = JSON.parse(json);
  if (!isKnownEntry(entry)) throw new StartError(`the journal holds an entry that this version does not know: ${entry.kind}`);
  applyEntry(index, entry);
}

/** Throws unless the journal still has the line at which the index was checked last. */
async function assertReached(stateDir: string, { segment, last, offsetBytes }: Position): Promise<void> {
  if (offsetBytes === 0) return;
  const path = segmentPath(stateDir, segment);
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(SEAL_LINE_BYTES), 0, SEAL_LINE_BYTES, offsetBytes - SEAL_LINE_BYTES);
    if (buffer.toString('utf8').startsWith(last)) return;
  } finally {
    await file.close();
  }
  throw new StartError(`${path} lacks lines that its index has: it was altered, or replaced by an older copy`);
}

/** Removes what a crash left behind the last seal, which was never acknowledged. Returns the number of bytes. */
async function cutOff(path: string, { offsetBytes }: Position): Promise<number> {
  const tornBytes = (await stat(path)).size - offsetBytes;
  if (tornBytes <= 0) return 0;
  const file = await open(path, 'r+');
  try {
    await file.truncate(offsetBytes);
    await file.datasync();
  } finally {
    await file.close();
  }
  return tornBytes;
}
