import { manifestDigest } from '../../../platform/fleets/manifests';
import { readKeyStoreEntry } from '../../key-stores/key-store-change';
import type { FleetApprovedEntry, FleetKeyAssignedEntry, FleetProvenEntry, FleetSealedEntry } from '../fleets/fleet-entries';
import type { Entry } from '../journal/entries';
import { applyKeyStoreChanged, storesOf } from '../key-store-entries';
import type { SignatureEntry } from '../signing-entries';
import type { FolderFault } from './folder-fault';

type Pooled = { readonly orgId: string; readonly storeId: string; keyId?: string };

/** `demanded` is the number of reviewers that the operator's entries demanded at the time of the ceremony. */
function* reviewFaults({ reviewers, createdBy, submittedBy }: FleetApprovedEntry, demanded: number): Generator<string> {
  if (reviewers.length === 0 || reviewers.some((one) => one === createdBy || one === submittedBy))
    yield 'was reviewed by a user who created or submitted it';
  if (new Set(reviewers).size < demanded) yield `was reviewed by fewer than the ${demanded} people whom its key store demands`;
}

/** Follows the fleets of all offline stores through the journal: their inputs, manifests, keys and vouches. */
export function createFleetCheck() {
  const inputs = new Map<string, FleetSealedEntry>();
  const heads = new Map<string, FleetApprovedEntry>();
  const pool = new Map<string, Pooled>();
  const assigned = new Map<string, FleetKeyAssignedEntry['assigned']>();
  const stores = new Map<string, unknown>();
  const storeIndex = {
    get: <T>(name: string) => stores.get(name) as T | undefined,
    put: (name: string, value: unknown) => void stores.set(name, value),
  };
  const faults: FolderFault[] = [];
  const note = (place: string, subject: string, fault: string) => faults.push({ place, fault: `${subject} ${fault}` });

  function approved(entry: FleetApprovedEntry, place: string): void {
    const { orgId, storeId, groupId, manifest, digest, previous, keys } = entry;
    const subject = `the ceremony ${groupId} of ${orgId}`;
    const store = `${orgId} ${storeId}`;
    const head = heads.get(store);
    const input = inputs.get(`${orgId} ${groupId}`);
    if (input?.inputDigest !== entry.inputDigest || input.storeId !== storeId)
      note(place, subject, 'has no input that the signer sealed');
    if (manifestDigest(manifest) !== digest) note(place, subject, 'has a manifest with another digest');
    const isNext =
      previous === (head?.digest ?? null) && manifest.previous === previous && manifest.n === (head?.manifest.n ?? -1) + 1;
    if (!isNext) note(place, subject, 'does not continue the manifest before it');
    const demanded = storesOf(storeIndex, orgId).find((one) => one.storeId === storeId)?.reviewers ?? 1;
    for (const fault of reviewFaults(entry, demanded)) note(place, subject, fault);
    for (const { curve, publicKey } of keys) {
      if (pool.has(`${curve} ${publicKey}`)) note(place, subject, `has the key ${publicKey}, which an earlier ceremony has`);
      pool.set(`${curve} ${publicKey}`, { orgId, storeId });
    }
    heads.set(store, entry);
  }

  function proven({ orgId, storeId, groupId, inputDigest }: FleetProvenEntry, place: string): void {
    const input = inputs.get(`${orgId} ${groupId}`);
    const isSealed = input?.task === 'ProofOfControl' && input.inputDigest === inputDigest && input.storeId === storeId;
    if (!isSealed) note(place, `the proof of control ${groupId} of ${orgId}`, 'has no input that the signer sealed');
  }

  function assign({ assigned: key }: FleetKeyAssignedEntry, place: string): void {
    const pooled = pool.get(`${key.curve} ${key.publicKeyHex}`);
    const isOfStore = pooled?.orgId === key.orgId && pooled.storeId === key.storeId;
    if (!isOfStore) note(place, `the key ${key.keyId}`, 'is not of a ceremony of its store');
    if (pooled?.keyId !== undefined || assigned.has(key.keyId)) note(place, `the key ${key.keyId}`, 'was assigned twice');
    if (pooled) pooled.keyId = key.keyId;
    assigned.set(key.keyId, key);
  }

  function vouched({ signed: { orgId, keyId, requestId, vouched: vouch } }: SignatureEntry, place: string): void {
    if (vouch === undefined) return;
    const key = assigned.get(keyId);
    if (key?.orgId !== orgId || key.storeId !== vouch.storeId)
      note(place, `the vouch for ${requestId} of ${orgId}`, 'is for a key that its store does not have');
  }

  return {
    take(entry: Entry, place: string): void {
      if (entry.kind === 'KeyStoreChanged' && readKeyStoreEntry(entry.entry)) applyKeyStoreChanged(storeIndex, entry);
      if (entry.kind === 'FleetSealed') inputs.set(`${entry.orgId} ${entry.groupId}`, entry);
      if (entry.kind === 'FleetApproved') approved(entry, place);
      if (entry.kind === 'FleetProven') proven(entry, place);
      if (entry.kind === 'FleetKeyAssigned') assign(entry, place);
      if (entry.kind === 'Signed') vouched(entry, place);
    },
    finish: (): readonly FolderFault[] => faults,
  };
}
