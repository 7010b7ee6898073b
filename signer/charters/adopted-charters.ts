import {
  amendedText,
  CHARTER_ENTRY_KINDS,
  type CharterAdoptedEntry,
  type CharterEntry,
  isCharterEntry,
} from '../record/charter-entries';
import { readJournal } from '../record/read-journal';
import { StartError } from '../start-error';
import { type Charter, charterDigest, readCharter } from './charter';

export type CharterOnRecord = Pick<CharterAdoptedEntry, 'sequence' | 'digest'> & {
  readonly charter: Charter;
  /** When the signer adopted, amended or restricted the charter, in ISO 8601. */
  readonly at: string;
};
type Latest = Pick<CharterAdoptedEntry, 'sequence' | 'digest' | 'charter'> & { readonly at: string };

const MARKS = CHARTER_ENTRY_KINDS.map((kind) => `"kind":"${kind}"`);

/**
 * Returns, for each organisation, the charter in force. The conditions of `readJournal` apply. Throws a `StartError` if there
 * is no journal, or if a charter in force cannot be read.
 */
export async function readAdoptedCharters(stateDir: string): Promise<ReadonlyMap<string, CharterOnRecord>> {
  const latest = new Map<string, Latest>();
  const hasJournal = await readJournal(stateDir, (json) => {
    // Other entries are not parsed, because a journal can have millions of them.
    if (!MARKS.some((mark) => json.includes(mark))) return;
    const entry: CharterEntry & { readonly at: string } = JSON.parse(json);
    if (!isCharterEntry(entry)) return;
    const { orgId, sequence, digest, at } = entry;
    const before = latest.get(orgId);
    if (entry.kind === 'CharterAdopted') latest.set(orgId, { sequence, digest, charter: entry.charter, at });
    else if (before) latest.set(orgId, { sequence, digest, charter: amendedText(before.charter, entry), at });
    else throw new StartError(`the charter of ${orgId} was changed before its adoption`);
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
