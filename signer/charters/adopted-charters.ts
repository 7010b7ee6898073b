import { amendedText, type CharterAdoptedEntry, type CharterAmendedEntry } from '../record/charter-entries';
import { readJournal } from '../record/read-journal';
import { StartError } from '../start-error';
import { type Charter, charterDigest, readCharter } from './charter';

export type CharterOnRecord = Pick<CharterAdoptedEntry, 'sequence' | 'digest'> & {
  readonly charter: Charter;
  /** When the signer adopted or amended the charter, in ISO 8601. */
  readonly at: string;
};
type Latest = Pick<CharterAdoptedEntry, 'sequence' | 'digest' | 'charter'> & { readonly at: string };

/** Other entries are not parsed, because a journal can have millions of them. */
const KINDS = ['"kind":"CharterAdopted"', '"kind":"CharterAmended"'];

/**
 * The charters in force by organisation, under the conditions of `readJournal`. Throws a `StartError` if there is no journal, or
 * if a charter in force cannot be read.
 */
export async function readAdoptedCharters(stateDir: string): Promise<ReadonlyMap<string, CharterOnRecord>> {
  const latest = new Map<string, Latest>();
  const hasJournal = await readJournal(stateDir, (json) => {
    if (!KINDS.some((kind) => json.includes(kind))) return;
    const entry: (CharterAdoptedEntry | CharterAmendedEntry) & { readonly at: string } = JSON.parse(json);
    const { orgId, sequence, digest, at } = entry;
    if (entry.kind === 'CharterAdopted') latest.set(orgId, { sequence, digest, charter: entry.charter, at });
    if (entry.kind !== 'CharterAmended') return;
    const before = latest.get(orgId);
    if (!before) throw new StartError(`the charter of ${orgId} was amended before its adoption`);
    latest.set(orgId, { sequence, digest, charter: amendedText(before.charter, entry), at });
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
