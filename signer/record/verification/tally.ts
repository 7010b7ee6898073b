import { type Entry, orgOfEntry } from '../journal/entries';

export type Tally = {
  readonly kinds: ReadonlyMap<string, number>;
  readonly entries: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
};

/** Counts the entries of one organisation, or of all organisations. */
export function createTally(orgId: string | undefined) {
  const kinds = new Map<string, number>();
  let [entries, first, last]: [number, string | undefined, string | undefined] = [0, undefined, undefined];
  return {
    take(entry: Entry & { readonly at: string }): void {
      if (orgId !== undefined && orgOfEntry(entry) !== orgId) return;
      kinds.set(entry.kind, (kinds.get(entry.kind) ?? 0) + 1);
      entries += 1;
      first ??= entry.at;
      last = entry.at;
    },
    total: (): Tally => ({ kinds, entries, first, last }),
  };
}
