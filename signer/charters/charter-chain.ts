import {
  type AdoptedCharter,
  amendedText,
  type CharterAdoptedEntry,
  type CharterAmendedEntry,
  type CharterRestrictedEntry,
  charterName,
  charterTextName,
} from '../record/charter-entries';
import { type Evidence, recorded } from '../record/evidence';
import type { Journal } from '../record/journal/journal';
import { Refusal, refuseUnless } from '../wire/refusal';
import { type Charter, charterDigest, readCharterInForce } from './charter';
import { type CharterInForce, charterInForce } from './charter-in-force';
import { createKeptCharters } from './kept-charters';

type Head = 'sequence' | 'previous' | 'digest';
type Changing = Omit<CharterAmendedEntry, Head> | Omit<CharterRestrictedEntry, Head>;

/** Reads the charters in force from the journal, and records the next charter. The caller must have judged the next charter. */
export function createCharterChain({ index, append }: Pick<Journal, 'index' | 'append'>) {
  const kept = createKeptCharters();
  const standing = (orgId: string) => index.get<AdoptedCharter>(charterName(orgId));
  const textOf = (orgId: string) => index.get<string>(charterTextName(orgId)) ?? '';

  function read(orgId: string, digest: string) {
    const text = textOf(orgId);
    const charter = charterDigest(text) === digest ? readCharterInForce(text) : undefined;
    // If this function returned undefined, the organisation would be judged as if it had never had a charter.
    if (!charter) throw new Error(`the charter of ${orgId} cannot be read`);
    return { charter: charterInForce(charter, digest), chars: text.length };
  }

  return {
    standing,
    of(orgId: string): CharterInForce | undefined {
      const found = standing(orgId);
      if (!found) return undefined;
      return kept.keep(orgId, kept.with(orgId, found.digest) ?? read(orgId, found.digest));
    },
    /** Resolves once the charter is durable. */
    async adopted(entry: CharterAdoptedEntry, charter: Charter): Promise<void> {
      await append(entry);
      kept.keep(entry.orgId, { charter: charterInForce(charter, entry.digest), chars: entry.charter.length });
    },
    /** Resolves once the change is durable. Must run in the same step as the judgement of the change. Throws a `Refusal`. */
    async changed(changing: Changing, evidence?: readonly Evidence[]): Promise<AdoptedCharter> {
      const { orgId } = changing;
      const before = standing(orgId);
      refuseUnless(before !== undefined, 'NotInCharter');
      const head = { sequence: before.sequence + 1, previous: before.digest };
      const text = amendedText(textOf(orgId), { ...changing, ...head });
      const charter = readCharterInForce(text);
      if (!charter) throw new Refusal('CharterMalformed');
      const digest = charterDigest(text);
      await append({ ...changing, ...head, digest }, evidence && recorded(evidence));
      kept.keep(orgId, { charter: charterInForce(charter, digest), chars: text.length });
      return { sequence: head.sequence, digest };
    },
  };
}
