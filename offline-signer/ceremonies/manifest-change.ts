import { canonical } from '../../platform/canonical';
import { assertNextManifest } from '../../platform/fleets/assert-manifest';
import type { Card } from '../../platform/fleets/cards';
import { FleetFault } from '../../platform/fleets/checks';
import { areSoundMembers, type FleetManifest, type SignedManifest } from '../../platform/fleets/manifests';
import { type ManifestChangeKind, nextManifest, type TaskOf } from '../../platform/fleets/next-manifest';
import { cardFingerprint } from '../archives/forms';
import { Refused, refuseUnlessAllowed } from '../refused';
import { labelled } from './input-words';

/** What a next manifest changes. `added` is the card that joins. */
export type ManifestChange = { readonly task: TaskOf<ManifestChangeKind>; readonly added: Card | undefined };

type Members = 'devices' | 'provisioners' | 'operators';
const JOINING = {
  devices: 'Clone',
  provisioners: 'AddProvisioner',
  operators: 'AddMacUser',
} as const satisfies Readonly<Record<Members, ManifestChangeKind>>;

/** The manifests do not state serial numbers of acting machines; the caller knows them from signatures. */
type Acting = { readonly deviceSerial: string; readonly operatorSerial: string };
const NO_ACTOR: Acting = { deviceSerial: '', operatorSerial: '' };

function taskBetween(head: FleetManifest, next: FleetManifest, acting: Acting): ManifestChange {
  const common = { operationId: 'followed', deviceSerial: acting.deviceSerial };
  const grown = (Object.keys(JOINING) as Members[]).find((members) => next[members].length > head[members].length);
  if (grown === undefined) {
    const keys = {
      secp256k1: next.ranges.secp256k1 - head.ranges.secp256k1,
      ed25519: next.ranges.ed25519 - head.ranges.ed25519,
    };
    refuseUnlessAllowed(keys.secp256k1 >= 0 && keys.ed25519 >= 0, 'The next manifest takes keys back.');
    return {
      task: { ...common, kind: 'KeyHarvest', operatorSerial: acting.operatorSerial, operatorName: '-', keys },
      added: undefined,
    };
  }
  const added = next[grown].at(-1) as Card;
  const { serial } = added;
  if (grown === 'devices') return { task: { ...common, kind: 'Clone', targetSerial: serial, challenge: [] }, added };
  if (grown === 'provisioners') return { task: { ...common, kind: 'AddProvisioner', provisionerSerial: serial }, added };
  return { task: { ...common, kind: 'AddMacUser', operatorSerial: serial }, added };
}

/** Throws `Refused` unless `next` is the one manifest that a single operation makes of `head`. */
export function changeBetween(head: FleetManifest, next: FleetManifest, acting = NO_ACTOR): ManifestChange {
  const change = taskBetween(head, next, acting);
  const expected = nextManifest(head, change.task, change.added ?? (head.devices[0] as Card));
  const isExpected = areSoundMembers(next) && canonical(expected) === canonical(next);
  refuseUnlessAllowed(isExpected, 'The next manifest changes more than one operation can change.');
  return change;
}

/** Throws `Refused` unless the members of `head` agreed to the manifest. */
export function assertFollows(head: FleetManifest, signed: SignedManifest): ManifestChange {
  const hasSigned = ({ signingKey }: Card) => signed.signatures.some(({ by }) => by === signingKey);
  const device = head.devices.find(hasSigned) ?? head.devices[0];
  const acting = { deviceSerial: device?.serial ?? '', operatorSerial: head.operators.find(hasSigned)?.serial ?? '' };
  const change = changeBetween(head, signed.manifest, acting);
  assertConsented(head, change.task, signed);
  return change;
}

export function assertConsented(head: FleetManifest, task: TaskOf<ManifestChangeKind>, signed: SignedManifest): void {
  try {
    assertNextManifest(head, task, signed);
  } catch (error) {
    if (error instanceof FleetFault) throw new Refused(error.message);
    throw error;
  }
}

const EFFECTS: Readonly<Record<ManifestChangeKind, string>> = {
  Clone: 'ADDS A DEVICE, which gets the master secret',
  KeyHarvest: 'derives further keys',
  AddProvisioner: 'ADDS A PROVISIONER, who gets a share of the master secret',
  AddMacUser: "adds an operator's machine",
};

export const changeWords = (head: FleetManifest, next: FleetManifest, { task, added }: ManifestChange): readonly string[] => [
  labelled('This', EFFECTS[task.kind]),
  ...(added ? [labelled('New member', `${added.serial}, ${cardFingerprint(added)}`)] : []),
  labelled(
    'Threshold',
    `${next.threshold} of ${next.provisioners.length} (before: ${head.threshold} of ${head.provisioners.length})`,
  ),
  labelled('Keys', `${next.ranges.secp256k1} on secp256k1, ${next.ranges.ed25519} on Ed25519`),
  labelled('Devices', next.devices.map(({ serial }) => serial).join(', ')),
];
