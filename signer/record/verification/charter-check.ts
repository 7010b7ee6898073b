import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { charterDigest, isSignedBy, readCharterInForce } from '../../charters/charter';
import { amendedText, type CharterAdoptedEntry, type CharterAmendedEntry } from '../charter-entries';
import type { FolderFault } from './folder-fault';

export type VerifiedCharter = {
  readonly sequence: number;
  readonly digest: string;
  /** When the signer adopted or amended the charter: ISO 8601. */
  readonly at: string;
};
type Standing = VerifiedCharter & { readonly text: string; readonly adopted: CharterAdoptedEntry; readonly place: string };
type CharterEntry = (CharterAdoptedEntry | CharterAmendedEntry) & { readonly at: string };

/** What every release has in a charter. An earlier charter need not be one that this release accepts. */
const Head = z.object({
  organizationId: z.string(),
  signerId: z.string(),
  sequence: z.int(),
  previous: z.string().nullable(),
});

function headOf(text: string): z.infer<typeof Head> | undefined {
  try {
    return Head.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

type Parts = { readonly signerId: string | undefined; readonly operatorKey: KeyObject | undefined };

/**
 * Follows the charters of all organisations through the journal. The signature is checked of what is in force: earlier charters
 * may be signed by an earlier key of the operator.
 */
export function createCharterCheck({ signerId, operatorKey }: Parts) {
  const standing = new Map<string, Standing>();
  const faults: FolderFault[] = [];
  const note = (place: string, orgId: string, fault: string) => faults.push({ place, fault: `the charter of ${orgId} ${fault}` });

  function assertFollows(place: string, { orgId, sequence }: CharterEntry, previous: string | null): void {
    const before = standing.get(orgId);
    if (sequence !== (before?.sequence ?? 0) + 1)
      note(place, orgId, `has sequence ${sequence} after ${before?.sequence ?? 'none'}`);
    if (previous !== (before?.digest ?? null)) note(place, orgId, 'names another digest than that of the charter before it');
  }

  function adopt(place: string, entry: CharterAdoptedEntry & CharterEntry): Standing {
    const head = headOf(entry.charter);
    assertFollows(place, entry, head?.previous ?? null);
    if (head?.organizationId !== entry.orgId || head.sequence !== entry.sequence)
      note(place, entry.orgId, 'is not of the organisation or the sequence under which it was recorded');
    if (signerId !== undefined && head?.signerId !== signerId) note(place, entry.orgId, 'was signed for another signer');
    return { ...entry, text: entry.charter, adopted: entry, place };
  }

  function amend(place: string, entry: CharterAmendedEntry & CharterEntry): Standing | undefined {
    const before = standing.get(entry.orgId);
    assertFollows(place, entry, entry.previous);
    if (!before) return undefined;
    return { ...entry, text: amendedText(before.text, entry), adopted: before.adopted, place };
  }

  return {
    take(entry: CharterEntry, place: string): void {
      const next = entry.kind === 'CharterAdopted' ? adopt(place, entry) : amend(place, entry);
      if (!next) return;
      if (charterDigest(next.text) !== entry.digest)
        note(place, entry.orgId, 'does not have the digest under which it was recorded');
      standing.set(entry.orgId, next);
    },
    finish(): { readonly inForce: ReadonlyMap<string, VerifiedCharter>; readonly faults: readonly FolderFault[] } {
      for (const [orgId, { text, adopted, place }] of standing) {
        if (!readCharterInForce(text)) note(place, orgId, 'cannot be read by this version');
        if (operatorKey && !isSignedBy(operatorKey, adopted)) note(place, orgId, 'is not signed with SIGNER_OPERATOR_KEY');
      }
      return { inForce: standing, faults };
    },
  };
}
