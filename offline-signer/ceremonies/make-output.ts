import { canonical } from '../../platform/canonical';
import { assertCeremonyOutput } from '../../platform/fleets/assert-output';
import type { FleetInput } from '../../platform/fleets/inputs';
import type { FleetManifest, SignedManifest } from '../../platform/fleets/manifests';
import {
  type FleetOutputJson,
  type OutputFile,
  outputJsonDigest,
  type Registration,
  type SignOutputJson,
} from '../../platform/fleets/outputs';
import type { Files, Session } from '../session';

type Contents = {
  readonly input: FleetInput;
  readonly digest: string;
  readonly manifest: SignedManifest | null;
  readonly keys?: OutputFile['keys'];
  readonly boxes?: OutputFile['boxes'];
};

/** Both parts of an output, which the operator carries to the service. */
const OUTPUT_JSON = 'output.json';
export const OUTPUT_FILE = 'output-file.json';

/** Signs the file with the device's key, and returns the texts of both parts. */
export function makeOutput(
  { open, now }: Session,
  outputJson: FleetOutputJson | SignOutputJson,
  { input, digest, manifest, keys = [], boxes = [] }: Contents,
): Files {
  const output: OutputFile = {
    ...{ type: 'strongroom-fleet-output', v: 1, groupId: input.groupId },
    ...{ inputDigest: digest, outputJsonDigest: outputJsonDigest(outputJson) },
    ...{ device: open.state().card, manifest, keys, boxes, dateMade: now().toISOString() },
  };
  const signed = open.sign('output', output);
  return { [OUTPUT_JSON]: canonical(outputJson as never), [OUTPUT_FILE]: canonical({ output, signed }) };
}

type Made = Contents & { readonly operationId: string; readonly registration: Registration; readonly head: FleetManifest | null };

/** The output of a ceremony. The device checks its own output as the service will, before anything leaves the device. */
export async function makeCeremonyOutput(session: Session, made: Made): Promise<Files> {
  const { input, operationId, registration, head } = made;
  const outputJson: FleetOutputJson = {
    ...{ type: 'fleet-output', version: 1, status: 'success' },
    ...{ org_id: input.orgId, fleet_id: input.fleetId, fleet_label: input.fleetLabel, keystore_id: input.storeId },
    ...{ group_id: input.groupId, online_domain: input.signerId },
    outputs: { [operationId]: { success: registration } },
  };
  const files = makeOutput(session, outputJson, made);
  await assertCeremonyOutput({ input, outputJson, file: files[OUTPUT_FILE] ?? '', head, knownKeys: new Set() });
  return files;
}
