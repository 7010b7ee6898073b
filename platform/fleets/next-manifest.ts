import type { z } from 'zod';
import { type CeremonyKind, type FleetKind, thresholdOf } from '../../domain/fleets';
import type { Card } from './cards';
import type { FLEET_TASKS, FleetInput } from './inputs';
import { type FleetManifest, manifestDigest } from './manifests';

type Tasks = { readonly [K in FleetKind]: z.infer<(typeof FLEET_TASKS)[K]> };
export type TaskOf<K extends FleetKind> = Tasks[K];
export type ManifestChangeKind = Exclude<CeremonyKind, 'Genesis'>;
/** The card that joins the fleet; an operation that adds no member ignores the card. */
type Change<K extends ManifestChangeKind> = (head: FleetManifest, task: TaskOf<K>, added: Card) => Partial<FleetManifest>;

const CHANGES: { readonly [K in ManifestChangeKind]: Change<K> } = {
  Clone: ({ devices }, _task, added) => ({ devices: [...devices, added] }),
  KeyHarvest: ({ ranges }, { keys }) => ({
    ranges: { secp256k1: ranges.secp256k1 + keys.secp256k1, ed25519: ranges.ed25519 + keys.ed25519 },
  }),
  AddProvisioner: ({ provisioners, threshold }, _task, added) => ({
    provisioners: [...provisioners, added],
    threshold: Math.max(threshold, thresholdOf(provisioners.length + 1)),
  }),
  AddMacUser: ({ operators }, _task, added) => ({ operators: [...operators, added] }),
};

/** The only manifest that may follow `head` by this operation. Device, provisioners and service derive it independently. */
export const nextManifest = <K extends ManifestChangeKind>(head: FleetManifest, task: TaskOf<K>, added: Card): FleetManifest => ({
  ...head,
  n: head.n + 1,
  previous: manifestDigest(head),
  ...(CHANGES[task.kind as K] as Change<K>)(head, task, added),
});

type Founders = Pick<FleetManifest, 'provisioners' | 'devices' | 'operators' | 'masterCommitment'>;

/** The first manifest of a fleet. */
export const genesisManifest = (input: FleetInput, task: TaskOf<'Genesis'>, founders: Founders): FleetManifest => ({
  ...{ v: 1, n: 0, previous: null },
  ...{ orgId: input.orgId, storeId: input.storeId, fleetId: input.fleetId },
  ...{ threshold: task.threshold, ranges: task.keys },
  provisioners: founders.provisioners,
  devices: founders.devices,
  operators: founders.operators,
  masterCommitment: founders.masterCommitment,
});
