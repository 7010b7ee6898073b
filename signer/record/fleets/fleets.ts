import type { FleetKey } from '../../../platform/fleets/inputs';
import { refuseUnless } from '../../wire/refusal';
import { type Evidence, recorded } from '../evidence';
import type { Journal } from '../journal/journal';
import { actionName } from '../signing-entries';
import {
  type ApprovedFleet,
  approvedFleetName,
  type FleetApprovedEntry,
  type FleetHead,
  type FleetProvenEntry,
  type FleetSealedEntry,
  fleetHeadName,
  type OfflineKey,
  offlineKeyName,
  type PoolKey,
  type ProvenFleet,
  poolKeyName,
  provenFleetName,
  reviewActionsOf,
  type SealedFleet,
  sealedFleetName,
} from './fleet-entries';

type Group = { readonly orgId: string; readonly groupId: string };

/** What the journal records about the fleets of offline stores. A lookup may return a result that is not durable yet. */
export interface Fleets {
  /** The input that the signer signed for the group. A group has one input. */
  sealed(group: Group): SealedFleet | undefined;
  approved(group: Group): ApprovedFleet | undefined;
  /** The output with the proofs of control of the group. */
  proven(group: Group): ProvenFleet | undefined;
  /** The manifest of the last approved ceremony. Undefined before the genesis. */
  head(orgId: string, storeId: string): FleetHead | undefined;
  /** A key of an approved ceremony, of whatever organisation. */
  pooled(key: Pick<FleetKey, 'curve' | 'publicKey'>): PoolKey | undefined;
  /** The key with this id. Undefined for a key with a sealed form. */
  key(keyId: string): OfflineKey | undefined;
  /** Each resolves once its entry is durable. Throws a `Refusal` if the signed action was used for another group. */
  recordSealed(entry: Omit<FleetSealedEntry, 'kind'>, evidence: readonly Evidence[]): Promise<void>;
  recordApproved(entry: Omit<FleetApprovedEntry, 'kind'>, evidence: readonly Evidence[]): Promise<void>;
  recordProven(entry: Omit<FleetProvenEntry, 'kind'>): Promise<void>;
  recordAssigned(assigned: OfflineKey): Promise<void>;
}

const attached = (evidence: readonly Evidence[]) => (evidence.length > 0 ? recorded(evidence) : undefined);

export function createFleets({ index, append }: Pick<Journal, 'index' | 'append'>): Fleets {
  const assertUnused = (orgId: string, action: string | undefined) =>
    refuseUnless(action === undefined || index.get(actionName(orgId, action)) === undefined, 'ActionUsed');
  return {
    sealed: (group) => index.get<SealedFleet>(sealedFleetName(group)),
    approved: (group) => index.get<ApprovedFleet>(approvedFleetName(group)),
    proven: (group) => index.get<ProvenFleet>(provenFleetName(group)),
    head: (orgId, storeId) => index.get<FleetHead>(fleetHeadName(orgId, storeId)),
    pooled: (key) => index.get<PoolKey>(poolKeyName(key)),
    key: (keyId) => index.get<OfflineKey>(offlineKeyName(keyId)),
    async recordSealed(entry, evidence) {
      assertUnused(entry.orgId, entry.action);
      await append({ kind: 'FleetSealed', ...entry }, attached(evidence));
    },
    async recordApproved(entry, evidence) {
      for (const action of reviewActionsOf(entry)) assertUnused(entry.orgId, action);
      await append({ kind: 'FleetApproved', ...entry }, attached(evidence));
    },
    recordProven: (entry) => append({ kind: 'FleetProven', ...entry }),
    recordAssigned: (assigned) => append({ kind: 'FleetKeyAssigned', assigned }),
  };
}
