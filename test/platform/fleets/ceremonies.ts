import type { CeremonyKind } from '../../../domain/fleets';
import { assertCeremonyOutput } from '../../../platform/fleets/assert-output';
import { type FleetCheck, FleetFault } from '../../../platform/fleets/checks';
import type { FleetInput } from '../../../platform/fleets/inputs';
import type { FleetManifest, SignedManifest } from '../../../platform/fleets/manifests';
import type { FleetOutputJson } from '../../../platform/fleets/outputs';
import {
  ceremonyOutput,
  cloneTask,
  createFleet,
  fleetInput,
  genesisTask,
  type MadeOutput,
  sealOutput,
} from '../../support/fleet-outputs';
import { createParty, type Party, signedManifest } from '../../support/fleet-parties';

export const fleet = createFleet();
export const stranger = createParty('Device', 'D-1');
export const KEYS = { secp256k1: 3, ed25519: 2 };
export const genesisInput = fleetInput(genesisTask(KEYS), null);
export const genesis = () => ceremonyOutput({ fleet, input: genesisInput, head: null });
export const head = (genesis().output.manifest as SignedManifest).manifest;

export const joiningDevice = createParty('Device', 'D-2');
export const joiningProvisioner = createParty('Provisioner', 'P-9');
export const joiningOperator = createParty('Operator', 'M-2');
export const base = { operationId: 'op-1', deviceSerial: 'D-1' } as const;
export const HARVEST = {
  ...base,
  kind: 'KeyHarvest',
  operatorSerial: 'M-1',
  operatorName: 'Ada',
  keys: { secp256k1: 2, ed25519: 4 },
} as const;

export type Ceremony = { readonly input: FleetInput; readonly head: FleetManifest | null; readonly joining?: Party };
export const CEREMONIES: Readonly<Record<CeremonyKind, Ceremony>> = {
  Genesis: { input: genesisInput, head: null },
  Clone: { input: fleetInput(cloneTask(fleet, 'D-2'), head), head, joining: joiningDevice },
  KeyHarvest: { input: fleetInput(HARVEST, head), head },
  AddProvisioner: {
    input: fleetInput({ ...base, kind: 'AddProvisioner', provisionerSerial: 'P-9' }, head),
    ...{ head, joining: joiningProvisioner },
  },
  AddMacUser: {
    input: fleetInput({ ...base, kind: 'AddMacUser', operatorSerial: 'M-2' }, head),
    ...{ head, joining: joiningOperator },
  },
};

export const verify = (kind: CeremonyKind, made: MadeOutput, knownKeys: ReadonlySet<string> = new Set()) =>
  assertCeremonyOutput({ ...CEREMONIES[kind], ...sealOutput(made), knownKeys });

export async function checkFailed(verified: Promise<unknown>): Promise<FleetCheck | 'accepted'> {
  try {
    await verified;
    return 'accepted';
  } catch (error) {
    if (error instanceof FleetFault) return error.check;
    throw error;
  }
}

export const json = (made: MadeOutput) => made.outputJson as FleetOutputJson;
export const registration = (made: MadeOutput) => Object.values(json(made).outputs)[0]?.success as Record<string, unknown>;

/** Signs the changed manifest by the same members, as a hostile device with careless people would. */
export function remade(
  made: MadeOutput,
  change: Partial<FleetManifest>,
  signers: readonly Party[] = [...fleet.devices, ...fleet.provisioners],
) {
  const manifest = { ...(made.output.manifest as SignedManifest).manifest, ...change };
  made.output.manifest = signedManifest(manifest, ...signers);
}
export const whole = (made: MadeOutput) => (made.output.manifest as SignedManifest).manifest;
export const first = <T>(list: readonly T[]): T => list[0] as T;
export const device = first(fleet.devices);
