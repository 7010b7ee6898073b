import { randomBytes } from 'node:crypto';
import type { CeremonyKind, FleetCurve } from '../../domain/fleets';
import { canonical } from '../../platform/canonical';
import { type FleetInput, inputDigest } from '../../platform/fleets/inputs';
import { type FleetManifest, manifestDigest, type SignedManifest } from '../../platform/fleets/manifests';
import { genesisManifest, type ManifestChangeKind, nextManifest, type TaskOf } from '../../platform/fleets/next-manifest';
import {
  type FleetOutputJson,
  type OutputFile,
  outputJsonDigest,
  type Registration,
  type ShareBox,
  type SignOutputJson,
} from '../../platform/fleets/outputs';
import { createParty, keyOf, type Party, provenKey, signedManifest } from './fleet-parties';

/** The members of a fleet of the tests. `master` stands for the master secret. */
export type Fleet = {
  readonly devices: readonly Party[];
  readonly provisioners: readonly Party[];
  readonly operators: readonly Party[];
  readonly master: string;
};

export const createFleet = (provisioners = 3): Fleet => ({
  devices: [createParty('Device', 'D-1')],
  provisioners: Array.from({ length: provisioners }, (_, at) => createParty('Provisioner', `P-${at + 1}`)),
  operators: [createParty('Operator', 'M-1')],
  master: randomBytes(8).toString('hex'),
});

export const COMMITMENT = 'c0'.repeat(32);

const DAY_MS = 86_400_000;
let inputs = 0;

export function fleetInput(task: FleetInput['task'], head: FleetManifest | null, given: Partial<FleetInput> = {}): FleetInput {
  inputs += 1;
  return {
    ...{ type: 'strongroom-fleet-input', v: 1, signerId: 'signer-test' },
    ...{ orgId: 'or-test', storeId: 'ks-test', fleetId: 'fl-test', fleetLabel: 'Vault one' },
    groupId: `fg-${inputs}`,
    manifest: head === null ? null : manifestDigest(head),
    abandons: [],
    dateIssued: new Date().toISOString(),
    notAfter: new Date(Date.now() + DAY_MS).toISOString(),
    task,
    ...given,
  };
}

export type MadeOutput = { outputJson: FleetOutputJson | SignOutputJson; output: OutputFile; device: Party };

/** Digest and signature are those of the parts as they are now, so a part can be changed before. */
export function sealOutput({ outputJson, output, device }: MadeOutput): { outputJson: unknown; file: string } {
  const whole = { ...output, outputJsonDigest: outputJsonDigest(outputJson) };
  return { outputJson, file: canonical({ output: whole, signed: device.state('output', whole) } as never) };
}

type Contents = {
  readonly device: Party;
  readonly manifest: SignedManifest | null;
  readonly keys?: OutputFile['keys'];
  readonly boxes?: OutputFile['boxes'];
};

export const outputFile = (input: FleetInput, { device, manifest, keys = [], boxes = [] }: Contents): OutputFile => ({
  ...{ type: 'strongroom-fleet-output', v: 1, groupId: input.groupId },
  inputDigest: inputDigest(input),
  outputJsonDigest: '',
  ...{ device: device.card, manifest, keys: [...keys], boxes: [...boxes], dateMade: '2026-11-30T00:00:00.000Z' },
});

const boxesFor = ({ provisioners }: FleetManifest): ShareBox[] =>
  provisioners.map(({ signingKey }) => ({
    provisioner: signingKey,
    enc: randomBytes(32).toString('hex'),
    sealed: randomBytes(49).toString('base64'),
    shareDigest: randomBytes(32).toString('hex'),
  }));

type Made = Contents & { readonly registration: Registration };
type Make<K extends CeremonyKind> = (
  fleet: Fleet,
  input: FleetInput,
  task: TaskOf<K>,
  head: FleetManifest,
  joining: Party,
) => Made;

const only = <T>(list: readonly T[]): T => {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
};

const range = (fleet: Fleet, input: FleetInput, curve: FleetCurve, from: number, count: number) =>
  Array.from({ length: count }, (_, at) => provenKey(fleet.master, curve, from + at, input));

const harvest = (from: FleetManifest['ranges'], counts: FleetManifest['ranges']) => ({
  ...{ 'ed25519-start': from.ed25519, ed25519: counts.ed25519 },
  ...{ 'secp256k1-start': from.secp256k1, secp256k1: counts.secp256k1, error: null },
});

const newKeys = (fleet: Fleet, input: FleetInput, from: FleetManifest['ranges'], counts: FleetManifest['ranges']) => [
  ...range(fleet, input, 'secp256k1', from.secp256k1, counts.secp256k1),
  ...range(fleet, input, 'ed25519', from.ed25519, counts.ed25519),
];

const quorumOf = ({ provisioners }: Fleet, { threshold }: FleetManifest): readonly Party[] => provisioners.slice(0, threshold);
const changed = <K extends ManifestChangeKind>(
  head: FleetManifest,
  task: TaskOf<K>,
  joining: Party,
  ...parties: readonly Party[]
) => signedManifest(nextManifest(head, task, joining.card), ...parties);

const MAKE: { readonly [K in CeremonyKind]: Make<K> } = {
  Genesis(fleet, input, task) {
    const [device, operator] = [only(fleet.devices), only(fleet.operators)];
    const provisioners = fleet.provisioners.map(({ card }) => card);
    const founders = { devices: [device.card], provisioners, operators: [operator.card], masterCommitment: COMMITMENT };
    const manifest = genesisManifest(input, task, founders);
    const start = { secp256k1: 0, ed25519: 0 };
    const registration = {
      ...{ type: 'genesis-registration' as const, ceremony_mode: 'software' },
      ...{ hsm_serial: device.card.serial, hsm_identity_key: device.by },
      ...{ mac_serial: operator.card.serial, mac_se_wrap_key_pub_key: operator.card.sealingKey },
      provisioners: Object.fromEntries(provisioners.map(({ serial, signingKey }) => [serial, signingKey])),
      key_harvest: harvest(start, task.keys),
    };
    const keys = newKeys(fleet, input, start, task.keys);
    return { device, manifest: signedManifest(manifest, device), keys, boxes: boxesFor(manifest), registration };
  },
  Clone(fleet, input, task, head, joining) {
    const operator = only(fleet.operators).card;
    const registration = {
      ...{ type: 'clone-registration' as const, ceremony_mode: 'software' },
      ...{ hsm_target_serial: joining.card.serial, hsm_identity_key: joining.by },
      ...{ mac_target_serial: operator.serial, mac_se_wrap_key_pub_key: operator.sealingKey },
    };
    const manifest = changed(head, task, joining, only(fleet.devices), ...quorumOf(fleet, head));
    const keys = task.challenge.map(({ curve, index }) => provenKey(fleet.master, curve, index, input));
    return { device: joining, manifest, keys, registration };
  },
  KeyHarvest(fleet, input, task, head, joining) {
    const device = only(fleet.devices);
    const registration = {
      ...{ type: 'key-harvest' as const, hsm_target_serial: device.card.serial },
      key_harvest: harvest(head.ranges, task.keys),
    };
    const manifest = changed(head, task, joining, device, only(fleet.operators));
    return { device, manifest, keys: newKeys(fleet, input, head.ranges, task.keys), registration };
  },
  AddProvisioner(fleet, _input, task, head, joining) {
    const device = only(fleet.devices);
    const registration = {
      ...{ type: 'add-provisioner' as const, hsm_target_serial: device.card.serial },
      ...{ provisioner_serial: joining.card.serial, provisioner_identity_key: joining.by },
    };
    const manifest = changed(head, task, joining, device, ...quorumOf(fleet, head));
    return { device, manifest, boxes: boxesFor(manifest.manifest), registration };
  },
  AddMacUser(fleet, _input, task, head, joining) {
    const device = only(fleet.devices);
    const registration = {
      ...{ type: 'add-mac-user' as const, hsm_target_serial: device.card.serial },
      ...{ mac_serial: joining.card.serial, mac_se_wrap_key_pub_key: joining.card.sealingKey },
    };
    return { device, manifest: changed(head, task, joining, device, only(fleet.operators)), registration };
  },
};

type Asked = { readonly fleet: Fleet; readonly input: FleetInput; readonly head: FleetManifest | null; readonly joining?: Party };

/** A genuine output of any ceremony. `joining` is the new device, provisioner or operator. */
export function ceremonyOutput({ fleet, input, head, joining }: Asked): MadeOutput {
  const { task } = input;
  if (task.kind === 'OnchainSign' || task.kind === 'ProofOfControl') throw new Error('not a ceremony');
  const make = MAKE[task.kind] as (fleet: Fleet, input: FleetInput, task: never, head: FleetManifest, joining: Party) => Made;
  const made = make(fleet, input, task as never, head as FleetManifest, joining ?? only(fleet.operators));
  const outputJson: FleetOutputJson = {
    ...{ type: 'fleet-output', version: 1, status: 'success' },
    ...{ org_id: input.orgId, fleet_id: input.fleetId, fleet_label: input.fleetLabel, keystore_id: input.storeId },
    ...{ group_id: input.groupId, online_domain: input.signerId },
    outputs: { [task.operationId]: { success: made.registration } },
  };
  return { outputJson, output: outputFile(input, made), device: made.device };
}

export const genesisTask = (keys: FleetManifest['ranges'], provisioners = 3, threshold = 2): TaskOf<'Genesis'> => ({
  ...{ kind: 'Genesis', operationId: 'op-1', deviceSerial: 'D-1', provisioners, threshold, keys },
});

export const cloneTask = (fleet: Fleet, targetSerial: string): TaskOf<'Clone'> => ({
  ...{ kind: 'Clone', operationId: 'op-1', deviceSerial: 'D-1', targetSerial },
  challenge: [keyOf(fleet.master, 'secp256k1', 1), keyOf(fleet.master, 'ed25519', 0)],
});
