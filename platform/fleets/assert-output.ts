import type { CeremonyKind } from '../../domain/fleets';
import { assertChallenged, assertNewKeys, assertProven } from './assert-keys';
import { assertBoxes, assertGenesisManifest, assertNextManifest } from './assert-manifest';
import type { Card } from './cards';
import { assertFleet, FleetFault } from './checks';
import type { ProvenKey } from './key-proofs';
import type { FleetManifest, SignedManifest } from './manifests';
import type { TaskOf } from './next-manifest';
import { CEREMONY_MODE, FleetOutputJson, type OutputFile, type REGISTRATIONS, type Registration } from './outputs';
import { assertBelongs, isSame, outputJsonIn, type ReceivedOutput } from './received-output';

/** `knownKeys` contains the public keys that the service has recorded for any store. */
export type ReceivedCeremony = ReceivedOutput & { readonly knownKeys: ReadonlySet<string> };

/** `keys` are the new keys of the store: empty for operations that make no keys. */
export type CeremonyResult = {
  readonly device: Card;
  readonly manifest: SignedManifest;
  readonly keys: readonly ProvenKey[];
};

const TYPES = {
  Genesis: 'genesis-registration',
  Clone: 'clone-registration',
  KeyHarvest: 'key-harvest',
  AddProvisioner: 'add-provisioner',
  AddMacUser: 'add-mac-user',
} as const satisfies Readonly<Record<CeremonyKind, keyof typeof REGISTRATIONS>>;
type RegistrationOf<K extends CeremonyKind> = Extract<Registration, { readonly type: (typeof TYPES)[K] }>;

type Facts<K extends CeremonyKind> = {
  readonly received: ReceivedCeremony;
  readonly task: TaskOf<K>;
  readonly registration: RegistrationOf<K>;
  readonly output: OutputFile;
  readonly manifest: SignedManifest;
};

const NO_KEYS = { secp256k1: 0, ed25519: 0 } as const;

function headOf({ head }: ReceivedOutput): FleetManifest {
  if (head === null) throw new FleetFault('Head');
  return head;
}

const harvestOf = (from: FleetManifest['ranges'], counts: FleetManifest['ranges']) => ({
  'ed25519-start': from.ed25519,
  ed25519: counts.ed25519,
  'secp256k1-start': from.secp256k1,
  secp256k1: counts.secp256k1,
  error: null,
});

/** Throws `FleetFault` unless the registration states exactly these facts; a member that must be absent is not checked here. */
function assertRegistration(registration: Registration, facts: Readonly<Record<string, unknown>>): void {
  const stated: Readonly<Record<string, unknown>> = registration;
  for (const [name, fact] of Object.entries(facts)) {
    assertFleet('Registration', isSame(stated[name] as never, fact as never), name);
  }
}

/** The card of the device that the committed manifest has under this serial number. */
function assertKnownDevice({ devices }: FleetManifest, serial: string, device: Card): void {
  const known = devices.find((one) => one.serial === serial);
  assertFleet('Serial', known !== undefined, 'device');
  assertFleet('DeviceIdentity', isSame(known, device));
}

function assertChanged(facts: Facts<'KeyHarvest'> | Facts<'AddProvisioner'> | Facts<'AddMacUser'>): FleetManifest {
  const head = headOf(facts.received);
  assertKnownDevice(head, facts.task.deviceSerial, facts.output.device);
  assertNextManifest(head, facts.task, facts.manifest);
  return head;
}

/** Each returns the new keys of the store. */
const CEREMONIES: { readonly [K in CeremonyKind]: (facts: Facts<K>) => readonly ProvenKey[] } = {
  Genesis({ received, task, registration, output, manifest: signed }) {
    const { manifest } = signed;
    assertFleet('Head', received.head === null);
    assertGenesisManifest(received.input, task, output.device, signed);
    assertRegistration(registration, {
      ceremony_mode: CEREMONY_MODE,
      hsm_serial: output.device.serial,
      hsm_identity_key: output.device.signingKey,
      mac_serial: manifest.operators[0]?.serial,
      mac_se_wrap_key_pub_key: manifest.operators[0]?.sealingKey,
      provisioners: Object.fromEntries(manifest.provisioners.map(({ serial, signingKey }) => [serial, signingKey])),
      key_harvest: harvestOf(NO_KEYS, task.keys),
    });
    assertBoxes(output, manifest);
    assertNewKeys(output.keys, NO_KEYS, task.keys, received.knownKeys);
    return output.keys;
  },
  Clone({ received, task, registration, output, manifest: signed }) {
    const { manifest } = signed;
    assertNextManifest(headOf(received), task, signed);
    assertFleet('DeviceIdentity', isSame(manifest.devices.at(-1), output.device));
    const operator = manifest.operators.find(({ serial }) => serial === registration.mac_target_serial);
    assertRegistration(registration, {
      ceremony_mode: CEREMONY_MODE,
      hsm_target_serial: output.device.serial,
      hsm_identity_key: output.device.signingKey,
      mac_target_serial: operator?.serial,
      mac_se_wrap_key_pub_key: operator?.sealingKey,
    });
    assertBoxes(output, { provisioners: [] });
    assertChallenged(output.keys, task.challenge);
    return [];
  },
  KeyHarvest(facts) {
    const { received, task, registration, output } = facts;
    const head = assertChanged(facts);
    assertRegistration(registration, {
      hsm_target_serial: output.device.serial,
      key_harvest: harvestOf(head.ranges, task.keys),
    });
    assertBoxes(output, { provisioners: [] });
    assertNewKeys(output.keys, head.ranges, task.keys, received.knownKeys);
    return output.keys;
  },
  AddProvisioner(facts) {
    const { registration, output, manifest: signed } = facts;
    assertChanged(facts);
    const added = signed.manifest.provisioners.at(-1);
    assertRegistration(registration, {
      hsm_target_serial: output.device.serial,
      provisioner_serial: added?.serial,
      provisioner_identity_key: added?.signingKey,
    });
    assertBoxes(output, signed.manifest);
    assertFleet('Excess', output.keys.length === 0);
    return [];
  },
  AddMacUser(facts) {
    const { registration, output, manifest: signed } = facts;
    assertChanged(facts);
    const added = signed.manifest.operators.at(-1);
    assertRegistration(registration, {
      hsm_target_serial: output.device.serial,
      mac_serial: added?.serial,
      mac_se_wrap_key_pub_key: added?.sealingKey,
    });
    assertBoxes(output, { provisioners: [] });
    assertFleet('Excess', output.keys.length === 0);
    return [];
  },
};

function registrationIn<K extends CeremonyKind>(json: FleetOutputJson, task: TaskOf<K>): RegistrationOf<K> {
  const output = Object.hasOwn(json.outputs, task.operationId) ? json.outputs[task.operationId] : undefined;
  if (output === undefined) throw new FleetFault('Operation');
  assertFleet('Kind', output.success.type === TYPES[task.kind as K]);
  return output.success as RegistrationOf<K>;
}

async function assertOf<K extends CeremonyKind>(task: TaskOf<K>, received: ReceivedCeremony): Promise<CeremonyResult> {
  const json = outputJsonIn(FleetOutputJson, received.outputJson);
  const output = assertBelongs(received, json);
  assertFleet('Fleet', json.fleet_label === received.input.fleetLabel);
  assertFleet('SignerIdentity', (json.online_domain ?? received.input.signerId) === received.input.signerId);
  const registration = registrationIn(json, task);
  if (output.manifest === null) throw new FleetFault('ManifestChain');
  const facts: Facts<K> = { received, task, registration, output, manifest: output.manifest };
  const keys = (CEREMONIES[task.kind as K] as (facts: Facts<K>) => readonly ProvenKey[])(facts);
  await assertProven(output.keys, received.input);
  return { device: output.device, manifest: output.manifest, keys };
}

/**
 * Verifies the output of a ceremony. Throws `FleetFault`, which names the first check that failed. On a genesis the service knows
 * no cards, so the output registers its own: people compare the fingerprints with paper before they approve the group.
 */
export async function assertCeremonyOutput(received: ReceivedCeremony): Promise<CeremonyResult> {
  const { task } = received.input;
  if (task.kind === 'OnchainSign' || task.kind === 'ProofOfControl') throw new FleetFault('Kind');
  return assertOf(task, received);
}
