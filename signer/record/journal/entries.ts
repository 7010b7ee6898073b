import {
  applyCharterAdopted,
  applyCharterAmended,
  applyCharterRestricted,
  type CharterAdoptedEntry,
  type CharterAmendedEntry,
  type CharterRestrictedEntry,
} from '../charter-entries';
import {
  applyFleetApproved,
  applyFleetKeyAssigned,
  applyFleetProven,
  applyFleetSealed,
  type FleetApprovedEntry,
  type FleetKeyAssignedEntry,
  type FleetProvenEntry,
  type FleetSealedEntry,
} from '../fleets/fleet-entries';
import { applyFreezeReleased, applyFreezeSet, type FreezeReleasedEntry, type FreezeSetEntry } from '../freeze-entries';
import {
  applyHolderCredentialRemoved,
  applyWalletHeld,
  type HolderCredentialRemovedEntry,
  type WalletHeldEntry,
} from '../holders/holder-entries';
import {
  applyDataKey,
  applyKeyCreated,
  applyKeyExported,
  applyKeyResealed,
  type DataKeyEntry,
  type KeyCreatedEntry,
  type KeyExportedEntry,
  type KeyResealedEntry,
} from '../key-entries';
import { applyKeyStoreChanged, type KeyStoreChangedEntry } from '../key-store-entries';
import { applyReplicationSet, type ReplicationSetEntry } from '../replication/replication-entries';
import {
  applyDeviceSigned,
  applySigned,
  applyWithdrawn,
  type DeviceSignedEntry,
  type SignatureEntry,
  type WithdrawnEntry,
} from '../signing-entries';
import type { Index } from './index-store';
import type { Heading } from './segments';

/** Everything that the signer records. The date is added when the journal writes the entry. */
export type Entry =
  | SignatureEntry
  | WithdrawnEntry
  | KeyCreatedEntry
  | KeyExportedEntry
  | DataKeyEntry
  | KeyResealedEntry
  | FreezeSetEntry
  | FreezeReleasedEntry
  | CharterAdoptedEntry
  | CharterAmendedEntry
  | CharterRestrictedEntry
  | ReplicationSetEntry
  | WalletHeldEntry
  | HolderCredentialRemovedEntry
  | KeyStoreChangedEntry
  | FleetSealedEntry
  | FleetApprovedEntry
  | FleetKeyAssignedEntry
  | FleetProvenEntry
  | DeviceSignedEntry;
type EntryKind = (Entry | Heading)['kind'];
type Of<K extends EntryKind> = Extract<Entry | Heading, { readonly kind: K }>;

/** Applies each kind of entry to the index. The changes depend only on the entry and the index. */
const APPLY: { readonly [K in EntryKind]: (index: Pick<Index, 'get' | 'put'>, entry: Of<K>) => void } = {
  SegmentOpened: () => undefined,
  Signed: applySigned,
  Withdrawn: applyWithdrawn,
  KeyCreated: applyKeyCreated,
  KeyExported: applyKeyExported,
  DataKey: applyDataKey,
  KeyResealed: applyKeyResealed,
  FreezeSet: applyFreezeSet,
  FreezeReleased: applyFreezeReleased,
  CharterAdopted: applyCharterAdopted,
  CharterAmended: applyCharterAmended,
  CharterRestricted: applyCharterRestricted,
  ReplicationSet: applyReplicationSet,
  WalletHeld: applyWalletHeld,
  HolderCredentialRemoved: applyHolderCredentialRemoved,
  KeyStoreChanged: applyKeyStoreChanged,
  FleetSealed: applyFleetSealed,
  FleetApproved: applyFleetApproved,
  FleetKeyAssigned: applyFleetKeyAssigned,
  FleetProven: applyFleetProven,
  DeviceSigned: applyDeviceSigned,
};

/** False for an entry from a later release. A signer that left such an entry out could sign what the entry forbids. */
export const isKnownEntry = (entry: { readonly kind?: unknown }): entry is Entry =>
  typeof entry.kind === 'string' && Object.hasOwn(APPLY, entry.kind);

/** The organisation that an entry concerns. Undefined if the entry concerns all organisations. */
const ORG_OF: { readonly [K in EntryKind]: (entry: Of<K>) => string | undefined } = {
  SegmentOpened: () => undefined,
  Signed: ({ signed }) => signed.orgId,
  Withdrawn: ({ orgId }) => orgId,
  KeyCreated: ({ created }) => created.sealed.orgId,
  KeyExported: ({ exported }) => exported.orgId,
  DataKey: ({ dek }) => dek.orgId,
  KeyResealed: ({ resealed }) => resealed.orgId,
  FreezeSet: ({ orgId }) => orgId,
  FreezeReleased: ({ orgId }) => orgId,
  CharterAdopted: ({ orgId }) => orgId,
  CharterAmended: ({ orgId }) => orgId,
  CharterRestricted: ({ orgId }) => orgId,
  ReplicationSet: () => undefined,
  WalletHeld: ({ orgId }) => orgId,
  HolderCredentialRemoved: ({ orgId }) => orgId,
  KeyStoreChanged: ({ orgId }) => orgId,
  FleetSealed: ({ orgId }) => orgId,
  FleetApproved: ({ orgId }) => orgId,
  FleetKeyAssigned: ({ assigned }) => assigned.orgId,
  FleetProven: ({ orgId }) => orgId,
  DeviceSigned: ({ orgId }) => orgId,
};

export const orgOfEntry = <K extends EntryKind>(entry: Of<K>): string | undefined => ORG_OF[entry.kind as K](entry);

export function applyEntry<K extends EntryKind>(index: Pick<Index, 'get' | 'put'>, entry: Of<K>): void {
  APPLY[entry.kind as K](index, entry);
}
