import { randomUUID } from 'node:crypto';
import { open, rename, stat } from 'node:fs/promises';
import type { KekProvider } from '../../keys/kek';
import { StartError } from '../../start-error';
import { createFile } from '../replace-file';
import { altered, GENESIS, readBatches, SEAL_LINE_BYTES } from './chained-lines';
import { applyEntry, isKnownEntry } from './entries';
import { markMoved, moveFormerFiles } from './former-files';
import { Index } from './index-store';
import { type Fence, Journal } from './journal';
import { type JournalKeys, openJournalKeys } from './journal-keys';
import { isDamage, isLocked, type Position, SealedStore } from './sealed-store';
import { headingOf, headingText, indexesOf, indexPath, removeIndex, removeLeftovers, segmentPath, segmentsOf } from './segments';

/** An index of up to this many names, or about ten thousand signatures, is checked before the first order. */
const CHECKED_AT_START_MAX = 30_000;

type Wanted = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  /** Called once, when the journal or its index can no longer be used. */
  readonly onBroken: (cause: Error) => void;
  readonly fence?: Fence | undefined;
};

/**
 * Opens the journal and its index. Without an index the whole journal is read. With an index, only the entries after the
 * checkpoint of the index are read. If the earlier signer may still be running, a takeover begins a new segment. It also begins a
 * new index, unless it is certain that no other process has the old index open. Later writes of the old signer therefore have no
 * effect. Throws a `StartError` if a file was altered, and `KekUnavailable` (`openJournalKeys`).
 */
export async function openJournal({ stateDir, kek, onBroken, fence }: Wanted): Promise<Journal> {
  await removeLeftovers(stateDir);
  // A reply may be based on lines that an ended process wrote but never synced.
  for (const segment of segmentsOf(stateDir)) await syncFile(segmentPath(stateDir, segment));
  const isNew = segmentsOf(stateDir).length === 0;
  const keys = await openJournalKeys(stateDir, kek, isNew);
  if (isNew) await beginJournal(stateDir, keys.seal);
  else await markMoved(stateDir);
  const segments = segmentsOf(stateDir);
  const last = segments.at(-1) ?? 1;
  const ownId = (await headingOf(segmentPath(stateDir, last))).index;
  await assertComplete(stateDir, segments, ownId, keys);
  const takesOver = fence?.mustCopy === true && !isNew;
  const number = takesOver ? last + 1 : last;
  const indexId = takesOver ? randomUUID() : ownId;
  const fail = once(onBroken);
  if (takesOver && fence.isSameMachine) await inheritIndex(indexPath(stateDir, ownId), indexPath(stateDir, indexId), keys);
  const index = await openIndex(stateDir, indexPath(stateDir, indexId), keys, fail);
  try {
    let end = await readFrom(stateDir, segments, keys, index);
    if (takesOver) {
      const heading = headingText(keys.seal, indexId, end.last);
      await createFile(segmentPath(stateDir, number), (put) => put(heading.text));
      end = await readFrom(stateDir, [number], keys, index, { segment: number, last: end.last, offsetBytes: 0 });
    }
    const path = segmentPath(stateDir, number);
    const tornBytes = await cutOff(path, end);
    const journal = await Journal.open({ path, end, keys, index, fence, onBroken: fail, tornBytes });
    // An earlier holder may still write to its own index. The next start then removes that index.
    for (const old of indexesOf(stateDir))
      if (old !== indexPath(stateDir, indexId)) await removeIndex(old).catch(() => undefined);
    return journal;
  } catch (error) {
    await index.close(true);
    throw error;
  }
}

const once = (call: (cause: Error) => void) => {
  let isCalled = false;
  return (cause: Error) => {
    if (isCalled) return;
    isCalled = true;
    call(cause);
  };
};

async function beginJournal(stateDir: string, sealKey: Buffer): Promise<void> {
  const index = randomUUID();
  if (await moveFormerFiles(stateDir, sealKey, index)) return;
  await createFile(segmentPath(stateDir, 1), (put) => put(headingText(sealKey, index).text));
}

/** Throws if a segment is missing between other segments, or if another index has read a later segment. */
async function assertComplete(stateDir: string, segments: readonly number[], ownId: string, keys: JournalKeys): Promise<void> {
  const others = indexesOf(stateDir).filter((path) => path !== indexPath(stateDir, ownId));
  const known = await Promise.all(others.map((path) => lastKnownTo(path, keys)));
  if (Math.max(...segments, ...known) > segments.length)
    throw new StartError(`${stateDir} lacks a file of the journal: one was removed, or the folder is an older copy`);
}

/** The last segment that an index has read. 0 for an index that another process uses, or that is damaged. */
async function lastKnownTo(path: string, keys: JournalKeys): Promise<number> {
  try {
    const store = await SealedStore.open(path, keys.value);
    await store.close();
    return store.checkpoint?.segment ?? 0;
  } catch {
    return 0;
  }
}

/**
 * Renames the index of the earlier holder for use by this holder. Does nothing if LevelDB's lock shows that a process of this
 * machine still has the index open, or if the index is damaged. A new index is then made from the journal.
 */
async function inheritIndex(path: string, heir: string, keys: JournalKeys): Promise<void> {
  try {
    await (await SealedStore.open(path, keys.value)).close();
    await rename(path, heir);
  } catch {
    return;
  }
}

/**
 * A damaged index, or an index of an earlier release, is rebuilt from the journal. Any other fault of the medium is not a reason
 * to remove an index.
 */
async function openIndex(stateDir: string, path: string, keys: JournalKeys, onBroken: Wanted['onBroken']): Promise<Index> {
  try {
    const store = await openChecked(path, keys.value);
    if (!store.isOfEarlierRelease) return new Index(store, onBroken);
    await store.close();
    // The position of the former index shows that the journal lacks no line at its end. The new index cannot show that.
    if (store.checkpoint) await assertReached(stateDir, store.checkpoint);
    await removeIndex(path);
    return new Index(await SealedStore.open(path, keys.value), onBroken);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (isLocked(error)) throw new StartError(`another process uses ${path}`, { cause: error });
    if (!isDamage(error)) throw new StartError(`${path} cannot be opened`, { cause: error });
    await removeIndex(path);
    return new Index(await SealedStore.open(path, keys.value), onBroken);
  }
}

async function openChecked(path: string, key: Buffer): Promise<SealedStore> {
  const store = await SealedStore.open(path, key);
  try {
    if (store.size <= CHECKED_AT_START_MAX) await store.check('AtOnce');
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Applies the entries after `from` to the index, up to the last sealed entry. */
async function readFrom(
  stateDir: string,
  segments: readonly number[],
  keys: JournalKeys,
  index: Index,
  from: Position = index.checkpoint() ?? { segment: 1, last: GENESIS, offsetBytes: 0 },
): Promise<Position> {
  await assertReached(stateDir, from);
  let end = from;
  for (const [at, segment] of segments.entries()) {
    if (segment < from.segment) continue;
    const path = segmentPath(stateDir, segment);
    const next = segments[at + 1];
    const until = next === undefined ? undefined : (await headingOf(segmentPath(stateDir, next))).after;
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

/** Throws unless the journal still has the line up to which the index was made. */
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
  throw new StartError(`${path} lacks lines that its index has: the file was altered, or replaced by an older copy`);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Removes the bytes that a crash left after the last seal, and returns their number. These bytes were never acknowledged. */
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
