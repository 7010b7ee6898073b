import type { Card } from './cards';
import { assertFleet, type FleetCheck } from './checks';
import type { FleetInput } from './inputs';
import { areSoundMembers, type FleetManifest, isSignedByDevice, provisionersWhoSigned, type SignedManifest } from './manifests';
import { genesisManifest, type ManifestChangeKind, nextManifest, type TaskOf } from './next-manifest';
import type { OutputFile } from './outputs';
import { isSame } from './received-output';
import { isStated } from './statement';

const FIELD_CHECKS = {
  v: 'Form',
  n: 'ManifestChain',
  previous: 'ManifestChain',
  orgId: 'Organisation',
  storeId: 'Store',
  fleetId: 'Fleet',
  threshold: 'Threshold',
  provisioners: 'Members',
  devices: 'Members',
  operators: 'Members',
  masterCommitment: 'MasterCommitment',
  ranges: 'Ranges',
} as const satisfies Readonly<Record<keyof FleetManifest, FleetCheck>>;

/** Throws a `FleetFault` that names the first field in which the manifest differs from the expected one. */
function assertExpected(manifest: FleetManifest, expected: FleetManifest): void {
  assertFleet('Members', areSoundMembers(manifest));
  for (const field of Object.keys(FIELD_CHECKS) as (keyof FleetManifest)[]) {
    assertFleet(FIELD_CHECKS[field], isSame(manifest[field], expected[field]), `manifest.${field}`);
  }
}

/** Throws `FleetFault` unless every signature is valid, by a different member of `members`, and one is by an acting device. */
function assertSignatures(signed: SignedManifest, acting: readonly Card[], members: readonly Card[]): void {
  const { manifest, signatures } = signed;
  const known = new Set(members.map(({ signingKey }) => signingKey));
  const areSound = signatures.every((one) => known.has(one.by) && isStated('manifest', manifest, one));
  const areDistinct = new Set(signatures.map(({ by }) => by)).size === signatures.length;
  const isByDevice = acting.some(({ signingKey }) => isSignedByDevice(signed, signingKey));
  assertFleet('ManifestSignature', areSound && areDistinct && isByDevice);
}

/** No card is known before the genesis. The output must agree with itself, and people compare its fingerprints with paper. */
export function assertGenesisManifest(input: FleetInput, task: TaskOf<'Genesis'>, device: Card, signed: SignedManifest): void {
  const { manifest } = signed;
  assertFleet('Serial', device.serial === task.deviceSerial, 'device');
  assertFleet('Members', manifest.provisioners.length === task.provisioners && manifest.operators.length === 1);
  const { provisioners, operators, masterCommitment } = manifest;
  assertExpected(manifest, genesisManifest(input, task, { devices: [device], provisioners, operators, masterCommitment }));
  assertSignatures(signed, [device], [device]);
}

/** `added` is the card that joins, and `addedSerial` the serial number that the input demands of it. */
type Joining = { readonly added: Card | undefined; readonly addedSerial: string | undefined };
type RolesOf<K extends ManifestChangeKind> = (task: TaskOf<K>, manifest: FleetManifest) => Joining;

const ROLES: { readonly [K in ManifestChangeKind]: RolesOf<K> } = {
  Clone: ({ targetSerial }, { devices }) => ({ added: devices.at(-1), addedSerial: targetSerial }),
  KeyHarvest: () => ({ added: undefined, addedSerial: undefined }),
  AddProvisioner: ({ provisionerSerial }, { provisioners }) => ({ added: provisioners.at(-1), addedSerial: provisionerSerial }),
  AddMacUser: ({ operatorSerial }, { operators }) => ({ added: operators.at(-1), addedSerial: operatorSerial }),
};

const hasQuorum = (signed: SignedManifest, head: FleetManifest): boolean =>
  provisionersWhoSigned(signed, head).size >= head.threshold;
const hasOperator = ({ signatures }: SignedManifest, operators: readonly Card[]): boolean =>
  operators.some(({ signingKey }) => signatures.some(({ by }) => by === signingKey));

/** Who must agree to the next manifest, with the members of the committed one. */
const CONSENTS: { readonly [K in ManifestChangeKind]: (signed: SignedManifest, head: FleetManifest, task: TaskOf<K>) => void } = {
  Clone: (signed, head) => assertFleet('ProvisionerQuorum', hasQuorum(signed, head)),
  AddProvisioner: (signed, head) => assertFleet('ProvisionerQuorum', hasQuorum(signed, head)),
  KeyHarvest: (signed, { operators }, { operatorSerial }) =>
    assertFleet(
      'OperatorSignature',
      hasOperator(
        signed,
        operators.filter(({ serial }) => serial === operatorSerial),
      ),
    ),
  // A quorum of provisioners stands in for an operator, because the last operator's machine can be lost.
  AddMacUser: (signed, head) => assertFleet('OperatorSignature', hasOperator(signed, head.operators) || hasQuorum(signed, head)),
};

/** Throws `FleetFault` unless the manifest is the only one that may follow `head`, and the members of `head` agreed to it. */
export function assertNextManifest<K extends ManifestChangeKind>(
  head: FleetManifest,
  task: TaskOf<K>,
  signed: SignedManifest,
): void {
  const { manifest } = signed;
  const acting = head.devices.find(({ serial }) => serial === task.deviceSerial);
  assertFleet('Serial', acting !== undefined, 'device');
  const { added, addedSerial } = (ROLES[task.kind as K] as RolesOf<K>)(task, manifest);
  assertExpected(manifest, nextManifest(head, task, added ?? acting));
  assertFleet('Serial', added?.serial === addedSerial, 'new member');
  // The new device of a clone may sign for a source that is lost: a quorum can recover the master secret anyway.
  const devices = task.kind === 'Clone' && added ? [acting, added] : [acting];
  assertSignatures(signed, devices, [...devices, ...head.provisioners, ...head.operators]);
  (CONSENTS[task.kind as K] as (signed: SignedManifest, head: FleetManifest, task: TaskOf<K>) => void)(signed, head, task);
}

/** Throws `FleetFault` unless each provisioner gets one share, and no two shares or encryptions are the same. */
export function assertBoxes({ boxes }: OutputFile, { provisioners }: Pick<FleetManifest, 'provisioners'>): void {
  const wanted = provisioners.map(({ signingKey }) => signingKey);
  const fitting = boxes.length === wanted.length && isSame([...wanted].sort(), boxes.map((box) => box.provisioner).sort());
  const distinct = [boxes.map(({ enc }) => enc), boxes.map(({ shareDigest }) => shareDigest)];
  assertFleet('Boxes', fitting && distinct.every((list) => new Set(list).size === boxes.length));
}
