import type { KeyObject } from 'node:crypto';
import { isKeyStoreEntrySignedBy, keyStoreDigest, readKeyStoreEntry } from '../../key-stores/key-store-change';
import type { KeyStoreChangedEntry } from '../key-store-entries';
import type { FolderFault } from './folder-fault';

type Parts = { readonly signerId: string | undefined; readonly operatorKey: KeyObject | undefined };
type Last = { readonly entry: KeyStoreChangedEntry; readonly place: string };

/**
 * Follows the entries about key stores of all organisations through the journal. Checks only the signature of each organisation's
 * last entry, because an earlier key of the operator may have signed earlier entries.
 */
export function createKeyStoreCheck({ signerId, operatorKey }: Parts) {
  const last = new Map<string, Last>();
  const faults: FolderFault[] = [];
  const note = (place: string, orgId: string, fault: string) =>
    faults.push({ place, fault: `the entry about the key stores of ${orgId} ${fault}` });

  return {
    take(entry: KeyStoreChangedEntry, place: string): void {
      const { orgId, n, digest } = entry;
      const before = last.get(orgId)?.entry;
      last.set(orgId, { entry, place });
      const given = readKeyStoreEntry(entry.entry);
      if (!given) return void note(place, orgId, 'cannot be read by this version');
      if (given.organizationId !== orgId || given.n !== n)
        note(place, orgId, 'is not of the organisation or the number under which it was recorded');
      if (n !== (before?.n ?? 0) + 1 || given.previous !== (before?.digest ?? null))
        note(place, orgId, 'does not follow the entry before it');
      if (keyStoreDigest(entry.entry) !== digest) note(place, orgId, 'does not have the digest under which it was recorded');
      if (signerId !== undefined && given.signerId !== signerId) note(place, orgId, 'was signed for another signer');
    },
    finish(): readonly FolderFault[] {
      for (const [orgId, { entry, place }] of last)
        if (operatorKey && !isKeyStoreEntrySignedBy(operatorKey, entry))
          note(place, orgId, 'is not signed with SIGNER_OPERATOR_KEY; after a change of the key, sign any new entry');
      return faults;
    },
  };
}
