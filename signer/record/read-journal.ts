import { altered, GENESIS, readBatches } from './journal/chained-lines';
import { headingOf, segmentPath, segmentsOf } from './journal/segments';

/**
 * Visits the JSON texts of the journal's entries, oldest first. The signer of the folder may be running. Needs no key: the
 * chain is checked, and the seals are not. Returns false if the folder has no journal. Throws a `StartError` if the journal was
 * altered.
 */
export async function readJournal(stateDir: string, visit: (json: string) => void): Promise<boolean> {
  const segments = segmentsOf(stateDir);
  let last = GENESIS;
  for (const [at, segment] of segments.entries()) {
    const path = segmentPath(stateDir, segment);
    const next = segments[at + 1];
    const until = next === undefined ? undefined : (await headingOf(segmentPath(stateDir, next))).after;
    try {
      ({ last } = await readBatches(path, { from: { last, offsetBytes: 0 }, until }, (jsons) => {
        for (const json of jsons) visit(json);
      }));
    } catch (error) {
      throw altered(path, error);
    }
  }
  return segments.length > 0;
}
