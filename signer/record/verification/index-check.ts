import { basename, join } from 'node:path';
import { StartError } from '../../start-error';
import { applyEntry, type Entry } from '../journal/entries';
import { Index } from '../journal/index-store';
import type { JournalKeys } from '../journal/journal-keys';
import { type Position, SealedStore } from '../journal/sealed-store';
import { headingOf, indexesOf, indexPath, segmentPath, segmentsOf } from '../journal/segments';
import { differenceOf } from './compare-stores';
import type { FolderFault } from './folder-fault';
import { openIndexCopy } from './index-copy';

/**
 * `Compared`: the index is equal to the index that follows from the journal up to `position`. `Absent` is not a fault: the next
 * start builds the index.
 */
export type IndexOutcome =
  | { readonly kind: 'Absent' | 'Empty' | 'Uncompared' | 'Faulty' }
  | { readonly kind: 'Compared'; readonly position: Position };

/** Compares the index of the state folder with a second index, which is made from the journal in the work folder. */
export interface IndexCheck {
  /** Applies the entries of a batch that ends at `end`, until the position of the index is reached and the index is compared. */
  take(entries: readonly Entry[], end: Position): Promise<void>;
  /** `isWhole` is false if the journal has faults, because no complete index then follows from the journal. */
  finish(isWhole: boolean): { readonly outcome: IndexOutcome; readonly faults: readonly FolderFault[] };
  close(): Promise<void>;
}

/** Copies the index before the journal is read, so that the journal has all that the copy reflects. */
export async function openIndexCheck(stateDir: string, workDir: string, keys: JournalKeys): Promise<IndexCheck> {
  const faults = await laterThanJournal(stateDir, workDir, keys);
  const path = await ownIndexPath(stateDir);
  const copy = path === undefined ? {} : await openIndexCopy(path, join(workDir, 'copy'), keys.value);
  if (copy.fault) faults.push(copy.fault);
  const target = copy.store?.checkpoint;
  if (path === undefined || !copy.store || !target) {
    await copy.store?.close();
    const absent = copy.store ? 'Empty' : 'Absent';
    const outcome: IndexOutcome = { kind: copy.fault ? 'Faulty' : absent };
    return { take: async () => undefined, finish: () => ({ outcome, faults }), close: async () => undefined };
  }
  return comparison({ stateDir, path, given: copy.store, target, faults, made: await rebuilding(workDir, keys) });
}

async function rebuilding(workDir: string, keys: JournalKeys) {
  const store = await SealedStore.open(join(workDir, 'rebuilt'), keys.value);
  let broken: Error | undefined;
  const index = new Index(store, (cause) => {
    broken = cause;
  });
  return { store, index, assertWhole: () => broken && Promise.reject(broken) };
}

type Parts = {
  readonly stateDir: string;
  readonly path: string;
  readonly given: SealedStore;
  readonly target: Position;
  readonly faults: FolderFault[];
  readonly made: Awaited<ReturnType<typeof rebuilding>>;
};

function comparison({ stateDir, path, given, target, faults, made: { store, index, assertWhole } }: Parts): IndexCheck {
  let outcome: IndexOutcome = { kind: 'Uncompared' };
  const isReached = () => outcome.kind !== 'Uncompared';
  return {
    async take(entries, end) {
      if (isReached()) return;
      for (const entry of entries) applyEntry(index, entry);
      index.closeBatch();
      index.settle(end);
      await index.room();
      await assertWhole();
      if (end.segment !== target.segment || end.offsetBytes !== target.offsetBytes || end.last !== target.last) return;
      await index.flushed();
      const difference = await differenceOf(given, store);
      if (difference !== undefined) faults.push({ place: basename(path), fault: difference });
      outcome = difference === undefined ? { kind: 'Compared', position: target } : { kind: 'Faulty' };
    },
    finish(isWhole) {
      if (isWhole && !isReached()) {
        const place = basename(segmentPath(stateDir, target.segment));
        const fault = `it lacks the lines up to byte ${target.offsetBytes}, which ${basename(path)} has: they were removed, or the file is an older copy`;
        faults.push({ place, fault });
        outcome = { kind: 'Faulty' };
      }
      return { outcome, faults };
    },
    async close() {
      await given.close();
      await index.close(true);
    },
  };
}

async function ownIndexPath(stateDir: string): Promise<string | undefined> {
  const last = segmentsOf(stateDir).at(-1) ?? 1;
  try {
    return indexPath(stateDir, (await headingOf(segmentPath(stateDir, last))).index);
  } catch (error) {
    if (error instanceof StartError) return undefined;
    throw error;
  }
}

/**
 * Another index may have read a segment that was removed since. A damaged index proves nothing. The signer follows the same rule
 * when it starts.
 */
async function laterThanJournal(stateDir: string, workDir: string, keys: JournalKeys): Promise<FolderFault[]> {
  const own = await ownIndexPath(stateDir);
  const faults: FolderFault[] = [];
  for (const path of indexesOf(stateDir).filter((one) => one !== own)) {
    const { store } = await openIndexCopy(path, join(workDir, 'other'), keys.value);
    const known = store?.checkpoint?.segment ?? 0;
    await store?.close();
    // The segments are listed after the copy, because a takeover may just have begun this segment.
    if (known > (segmentsOf(stateDir).at(-1) ?? 0))
      faults.push({ place: basename(segmentPath(stateDir, known)), fault: `is missing, and ${basename(path)} has read it` });
  }
  return faults;
}
