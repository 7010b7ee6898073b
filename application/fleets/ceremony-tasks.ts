import { randomInt } from 'node:crypto';
import { AppError, invariant } from '../../domain/errors';
import { type CeremonyKind, type FleetCurve, PROVISIONERS_MAX, thresholdOf } from '../../domain/fleets';
import type { Reader } from '../../entities/database';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { FleetKey } from '../../platform/fleets/inputs';
import { FLEET_DEVICES_MAX, FLEET_OPERATORS_MAX, type FleetManifest, KEY_INDEX_MAX } from '../../platform/fleets/manifests';
import type { TaskOf } from '../../platform/fleets/next-manifest';
import { badField } from '../request-faults';

/** The bodies of the published interface. `mac…` is the machine of an operator or provisioner, and `hsm…` a device. */
export type CeremonyRequests = {
  readonly Genesis: {
    readonly numProvisioners: number;
    readonly threshold?: number | undefined;
    readonly numSecp256k1: number;
    readonly numEd25519: number;
    readonly hsmGenesisSerial: string;
  };
  readonly Clone: { readonly hsmSourceSerial: string; readonly hsmTargetSerial: string };
  readonly KeyHarvest: {
    readonly hsmTargetSerial: string;
    readonly macTargetSerial: string;
    readonly macTargetUsername: string;
    readonly numSecp256k1?: number | undefined;
    readonly numEd25519?: number | undefined;
  };
  readonly AddProvisioner: { readonly macTargetSerial: string; readonly hsmTargetSerial: string };
  readonly AddMacUser: { readonly macTargetSerial: string; readonly hsmTargetSerial: string };
};
export type CeremonyRequest = { readonly [K in CeremonyKind]: { readonly kind: K } & CeremonyRequests[K] }[CeremonyKind];

type Asked<K extends CeremonyKind> = {
  readonly request: CeremonyRequests[K];
  readonly operationId: string;
  readonly storeId: string;
  readonly reader: Reader;
};
type Planned<K extends CeremonyKind> = TaskOf<K> | Promise<TaskOf<K>>;

const CHALLENGED_KEYS = 16;

function assertDevice({ devices }: FleetManifest, serial: string, field: string): void {
  if (!devices.some((device) => device.serial === serial))
    throw badField(field, 'must be the serial number of a device of the fleet');
}

function assertNew(members: readonly { readonly serial: string }[], serial: string, field: string, max: number): void {
  if (members.some((member) => member.serial === serial)) throw badField(field, 'is a member of the fleet already');
  if (members.length >= max) throw badField(field, `would be one more than the ${max} that a fleet can have`);
}

function assertSomeKeys(keys: Readonly<Record<FleetCurve, number>>): void {
  if (keys.secp256k1 + keys.ed25519 === 0) throw badField('numSecp256k1', 'must ask for a key, on this or the other curve');
}

/** Random keys of the pool; the new device must derive each of them. */
async function challengeOf(reader: Reader, storeId: string, { ranges }: FleetManifest): Promise<FleetKey[]> {
  const curves = (['secp256k1', 'ed25519'] as const).filter((curve) => ranges[curve] > 0);
  const wanted = Array.from({ length: CHALLENGED_KEYS }, (_, at) => {
    const curve = curves[at % curves.length];
    invariant(curve, 'a fleet has keys from its genesis on');
    return { curve, index: randomInt(ranges[curve]) };
  });
  const found = await fleetKeyStore.at(reader, storeId, wanted);
  invariant(found.length > 0, 'the pool contains every key of the ranges');
  return found.map(({ curve, index, publicKey }) => ({ curve, index, publicKey }));
}

const CHANGES: { readonly [K in Exclude<CeremonyKind, 'Genesis'>]: (asked: Asked<K>, head: FleetManifest) => Planned<K> } = {
  async Clone({ request: { hsmSourceSerial, hsmTargetSerial }, operationId, storeId, reader }, head) {
    assertDevice(head, hsmSourceSerial, 'hsmSourceSerial');
    assertNew(head.devices, hsmTargetSerial, 'hsmTargetSerial', FLEET_DEVICES_MAX);
    const challenge = await challengeOf(reader, storeId, head);
    return { kind: 'Clone', operationId, deviceSerial: hsmSourceSerial, targetSerial: hsmTargetSerial, challenge };
  },
  KeyHarvest({ request, operationId }, head) {
    const { hsmTargetSerial, macTargetSerial, macTargetUsername, numSecp256k1 = 0, numEd25519 = 0 } = request;
    const keys = { secp256k1: numSecp256k1, ed25519: numEd25519 };
    assertSomeKeys(keys);
    assertDevice(head, hsmTargetSerial, 'hsmTargetSerial');
    if (!head.operators.some(({ serial }) => serial === macTargetSerial))
      throw badField('macTargetSerial', "must be the serial number of an operator's machine of the fleet");
    for (const [curve, field] of [
      ['secp256k1', 'numSecp256k1'],
      ['ed25519', 'numEd25519'],
    ] as const) {
      if (head.ranges[curve] + keys[curve] > KEY_INDEX_MAX) throw badField(field, 'is more than the fleet can derive');
    }
    return {
      ...{ kind: 'KeyHarvest', operationId, deviceSerial: hsmTargetSerial },
      ...{ operatorSerial: macTargetSerial, operatorName: macTargetUsername, keys },
    };
  },
  AddProvisioner({ request: { macTargetSerial, hsmTargetSerial }, operationId }, head) {
    assertDevice(head, hsmTargetSerial, 'hsmTargetSerial');
    assertNew(head.provisioners, macTargetSerial, 'macTargetSerial', PROVISIONERS_MAX);
    return { kind: 'AddProvisioner', operationId, deviceSerial: hsmTargetSerial, provisionerSerial: macTargetSerial };
  },
  AddMacUser({ request: { macTargetSerial, hsmTargetSerial }, operationId }, head) {
    assertDevice(head, hsmTargetSerial, 'hsmTargetSerial');
    assertNew(head.operators, macTargetSerial, 'macTargetSerial', FLEET_OPERATORS_MAX);
    return { kind: 'AddMacUser', operationId, deviceSerial: hsmTargetSerial, operatorSerial: macTargetSerial };
  },
};

function genesisTask({ request, operationId }: Asked<'Genesis'>): TaskOf<'Genesis'> {
  const { numProvisioners: provisioners, hsmGenesisSerial: deviceSerial } = request;
  const threshold = request.threshold ?? thresholdOf(provisioners);
  if (threshold > provisioners) throw badField('threshold', `must be at most ${provisioners}, the number of provisioners`);
  const keys = { secp256k1: request.numSecp256k1, ed25519: request.numEd25519 };
  assertSomeKeys(keys);
  return { kind: 'Genesis', operationId, deviceSerial, provisioners, threshold, keys };
}

/**
 * Returns the task for the device. Throws `WrongState` for a genesis of a fleet that has a manifest, and for any other ceremony
 * before the genesis. Throws `InvalidRequest` for serial numbers that do not fit the fleet.
 */
export async function ceremonyTask(
  request: CeremonyRequest,
  head: FleetManifest | null,
  asked: Omit<Asked<CeremonyKind>, 'request'>,
): Promise<TaskOf<CeremonyKind>> {
  const { storeId } = asked;
  if (request.kind === 'Genesis') {
    if (head !== null) throw new AppError('WrongState', 'the key store has a fleet already', { storeId });
    return genesisTask({ ...asked, request });
  }
  if (head === null) throw new AppError('WrongState', 'the key store has no fleet: create one first', { storeId });
  const change: (asked: never, head: FleetManifest) => Planned<CeremonyKind> = CHANGES[request.kind];
  return change({ ...asked, request } as never, head);
}
