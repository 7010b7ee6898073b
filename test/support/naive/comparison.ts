import type { Scanner } from '../../../activities/scans/scanner';
import { scanAll } from '../scanning';

export type Comparison = {
  readonly naive: readonly string[];
  readonly recorded: readonly string[];
  /** This list is empty if the balances of the node follow from the naive movements. */
  readonly unexplained: readonly string[];
  /** This list is empty if each version of a movement has one event. */
  readonly eventFaults: readonly string[];
};

/** Scans until the process of this scanner is killed, or up to the head. */
export const scanUntilKilled = (scanner: Scanner): Promise<void> =>
  scanAll(scanner).catch((error: Error) => {
    if (error.message !== 'killed') throw error;
  });

export const COMMITS_MAX = 8;

const SHOWN_MAX = 5;

const without = (some: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return some.filter((one) => !known.has(one)).slice(0, SHOWN_MAX);
};

/** Shows the first differences only, because Jest takes minutes to compare two long lists that differ. */
export function expectAgreement({ naive, recorded, unexplained, eventFaults }: Comparison): void {
  expect(unexplained.slice(0, SHOWN_MAX)).toEqual([]);
  expect({ missing: without(naive, recorded), surplus: without(recorded, naive) }).toEqual({ missing: [], surplus: [] });
  expect(recorded.length).toBe(naive.length);
  expect(recorded.findIndex((line, at) => line !== naive[at])).toBe(-1);
  expect(eventFaults.slice(0, SHOWN_MAX)).toEqual([]);
}
