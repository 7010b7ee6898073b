import type { CharterAdoptedEntry } from '../record/charter-entries';
import { readJournal } from '../record/read-journal';
import { StartError } from '../start-error';
import { type Charter, charterDigest, readCharter } from './charter';

export type CharterOnRecord = Pick<CharterAdoptedEntry, 'sequence' | 'digest'> & {
  readonly charter: Charter;
  /** When the signer adopted the charter, in ISO 8601. */
  readonly at: string;
};

/** Other entries are not parsed, because a journal can have millions of them. */
const KIND = '"kind":"CharterAdopted"';

/**
 * The charters in force by organisation, under the conditions of `readJournal`. Throws a `StartError` if there is no journal, or
 * if a charter in force cannot be read.
 */
export async function readAdoptedCharters(stateDir: string): Promise<ReadonlyMap<string, CharterOnRecord>> {
  const latest = new Map<string, CharterAdoptedEntry & { readonly at: string }>();
  const hasJournal = await readJournal(stateDir, (json) => {
    if (!json.includes(KIND)) return;
    const entry: CharterAdoptedEntry & { readonly at: string } = JSON.parse(json);
    if (entry.kind === 'CharterAdopted') latest.set(entry.orgId, entry);
  });
  if (!hasJournal) throw new StartError(`${stateDir} has no journal of a signer`);
  return new Map(
    [...latest].map(([orgId, { sequence, digest, charter: text, at }]) => {
      const charter = charterDigest(text) === digest ? readCharter(text) : undefined;
      if (!charter) throw new StartError(`the charter of ${orgId} cannot be read`);
      return [orgId, { sequence, digest, charter, at }];
    }),
  );
}
