import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { charterDigest, isSignedBy, readCharterInForce } from '../../charters/charter';
import { isRestrictionSignedBy, readRestriction } from '../../charters/restriction';
import {
  amendedText,
  type CharterAdoptedEntry,
  type CharterAmendedEntry,
  type CharterEntry,
  type CharterRestrictedEntry,
} from '../charter-entries';
import type { FolderFault } from './folder-fault';

export type VerifiedCharter = {
  readonly sequence: number;
  readonly digest: string;
  /** When the signer adopted, amended or restricted the charter: ISO 8601. */
  readonly at: string;
};
type Standing = VerifiedCharter & { readonly text: string; readonly adopted: CharterAdoptedEntry; readonly place: string };
type Placed<E extends CharterEntry> = E & { readonly at: string };

/** The fields that a charter has in every release. This release may not accept the other fields of an earlier charter. */
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

/** Whether the member whom the restriction names signed it with a credential of the restricted charter. */
function isOfMember({ restriction, credentialId, signature }: CharterRestrictedEntry, before: string): boolean {
  const by = readRestriction(restriction)?.by;
  const member = readCharterInForce(before)?.members.find(({ userId }) => userId === by);
  const credential = member?.credentials.find(({ id }) => id === credentialId);
  return credential !== undefined && isRestrictionSignedBy(credential.publicKey, { restriction, credentialId, signature });
}

type Parts = { readonly signerId: string | undefined; readonly operatorKey: KeyObject | undefined };

/**
 * Follows the charters of all organisations through the journal. Checks only the signatures of charters in force, because an
 * earlier key of the operator may have signed earlier charters.
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

  function adopt(place: string, entry: Placed<CharterAdoptedEntry>): Standing {
    const head = headOf(entry.charter);
    assertFollows(place, entry, head?.previous ?? null);
    if (head?.organizationId !== entry.orgId || head.sequence !== entry.sequence)
      note(place, entry.orgId, 'is not of the organisation or the sequence under which it was recorded');
    if (signerId !== undefined && head?.signerId !== signerId) note(place, entry.orgId, 'was signed for another signer');
    return { ...entry, text: entry.charter, adopted: entry, place };
  }

  function change(place: string, entry: Placed<CharterAmendedEntry | CharterRestrictedEntry>): Standing | undefined {
    const before = standing.get(entry.orgId);
    assertFollows(place, entry, entry.previous);
    if (!before) return undefined;
    if (entry.kind === 'CharterRestricted' && !isOfMember(entry, before.text))
      note(place, entry.orgId, 'was restricted without the signature of a member of the charter before it');
    return { ...entry, text: amendedText(before.text, entry), adopted: before.adopted, place };
  }

  return {
    take(entry: Placed<CharterEntry>, place: string): void {
      const next = entry.kind === 'CharterAdopted' ? adopt(place, entry) : change(place, entry);
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
