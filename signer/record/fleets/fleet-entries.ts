import type { FleetKind } from '../../../domain/fleets';
import type { KeyForm } from '../../../domain/keys';
import type { FleetKey } from '../../../platform/fleets/inputs';
import type { FleetManifest } from '../../../platform/fleets/manifests';
import { charterName } from '../charter-entries';
import type { Index } from '../journal/index-store';
import { charteredKeyName } from '../key-entries';
import { storeKeysName } from '../key-store-entries';
import { actionName } from '../signing-entries';

type OfGroup = { readonly orgId: string; readonly storeId: string; readonly groupId: string };

/**
 * The signer has signed this input for a device. `manifest` is the digest of the manifest that the input continues. `by` is the
 * member who asked for the group, and `action` the digest of the signed action; both are absent without a charter.
 */
export type FleetSealedEntry = OfGroup & {
  readonly kind: 'FleetSealed';
  readonly task: FleetKind;
  readonly inputDigest: string;
  readonly manifest: string | null;
  readonly by?: string;
  readonly action?: string;
};

/**
 * An approved ceremony. `digest` is the digest of `manifest`, which follows `previous`. `outputDigest` is SHA-256 of the file
 * that the device signed. `actions` has the digests of the signed actions of the reviewers; absent without a charter. An entry of
 * an earlier version has one reviewer, whose digest is in `action`.
 */
export type FleetApprovedEntry = OfGroup & {
  readonly kind: 'FleetApproved';
  readonly previous: string | null;
  readonly digest: string;
  readonly manifest: FleetManifest;
  readonly inputDigest: string;
  readonly outputDigest: string;
  readonly createdBy: string;
  readonly submittedBy: string;
  readonly reviewers: readonly string[];
  readonly actions?: readonly string[];
  readonly action?: string;
  readonly keys: readonly FleetKey[];
};

/**
 * A device has proven that it has the keys of these wallets, for the input of the group. `outputDigest` is SHA-256 of the file
 * that the device signed.
 */
export type FleetProvenEntry = OfGroup & {
  readonly kind: 'FleetProven';
  readonly inputDigest: string;
  readonly outputDigest: string;
  readonly walletIds: readonly string[];
};

/** A key of an offline store, with the key id under which the service uses the key. */
export type OfflineKey = KeyForm & {
  readonly orgId: string;
  readonly storeId: string;
  readonly keyId: string;
  readonly publicKeyHex: string;
};
export type FleetKeyAssignedEntry = { readonly kind: 'FleetKeyAssigned'; readonly assigned: OfflineKey };

export type SealedFleet = Omit<FleetSealedEntry, 'kind' | 'orgId' | 'groupId'>;
export type FleetHead = { readonly digest: string; readonly manifest: FleetManifest };
export type ApprovedFleet = {
  readonly storeId: string;
  readonly outputDigest: string;
  readonly digest: string;
  readonly n: number;
  readonly keys: number;
};
export type ProvenFleet = { readonly outputDigest: string };
/** A key of the pool. `keyId` is absent until the key is assigned. */
export type PoolKey = FleetKey & OfGroup & { readonly keyId?: string };

type Group = Pick<OfGroup, 'orgId' | 'groupId'>;
export const sealedFleetName = ({ orgId, groupId }: Group) => `fleet-input/${orgId}/${groupId}`;
export const approvedFleetName = ({ orgId, groupId }: Group) => `fleet-group/${orgId}/${groupId}`;
export const provenFleetName = ({ orgId, groupId }: Group) => `fleet-proofs/${orgId}/${groupId}`;
export const fleetHeadName = (orgId: string, storeId: string) => `fleet-head/${orgId}/${storeId}`;
/** A secret key belongs to one store, so the name contains no organisation. */
export const poolKeyName = ({ curve, publicKey }: { readonly curve: string; readonly publicKey: string }) =>
  `fleet-key/${curve}/${publicKey}`;
export const offlineKeyName = (keyId: string) => `offline-key/${keyId}`;

type Facts = Pick<Index, 'get' | 'put'>;

export function applyFleetSealed(index: Facts, { kind: _kind, orgId, groupId, ...sealed }: FleetSealedEntry): void {
  index.put(sealedFleetName({ orgId, groupId }), sealed satisfies SealedFleet);
  if (sealed.action !== undefined) index.put(actionName(orgId, sealed.action), groupId);
}

export function applyFleetApproved(index: Facts, entry: FleetApprovedEntry): void {
  const { orgId, storeId, groupId, digest, manifest, outputDigest, keys } = entry;
  const approved: ApprovedFleet = { storeId, outputDigest, digest, n: manifest.n, keys: keys.length };
  index.put(approvedFleetName(entry), approved);
  index.put(fleetHeadName(orgId, storeId), { digest, manifest } satisfies FleetHead);
  for (const key of keys) index.put(poolKeyName(key), { ...key, orgId, storeId, groupId } satisfies PoolKey);
  if (keys.length > 0) index.put(storeKeysName(orgId, storeId), true);
  for (const action of reviewActionsOf(entry)) index.put(actionName(orgId, action), groupId);
}

export const reviewActionsOf = ({ action, actions = [] }: Pick<FleetApprovedEntry, 'action' | 'actions'>): readonly string[] =>
  action === undefined ? actions : [action, ...actions];

export function applyFleetProven(index: Facts, entry: FleetProvenEntry): void {
  index.put(provenFleetName(entry), { outputDigest: entry.outputDigest } satisfies ProvenFleet);
}

export function applyFleetKeyAssigned(index: Facts, { assigned }: FleetKeyAssignedEntry): void {
  const { orgId, keyId, curve, publicKeyHex } = assigned;
  index.put(offlineKeyName(keyId), assigned);
  const name = poolKeyName({ curve, publicKey: publicKeyHex });
  const pooled = index.get<PoolKey>(name);
  if (pooled) index.put(name, { ...pooled, keyId } satisfies PoolKey);
  if (index.get(charterName(orgId)) !== undefined) index.put(charteredKeyName(orgId, keyId), true);
}
