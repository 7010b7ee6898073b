import type { z } from 'zod';
import { FLEET_OUTPUT_BYTES_MAX } from '../../domain/fleets';
import { canonical } from '../canonical';
import { parseStrictJson } from '../strict-json';
import { isSoundCard } from './cards';
import { assertFleet, FleetFault } from './checks';
import { type FleetInput, inputDigest } from './inputs';
import { type FleetManifest, manifestDigest } from './manifests';
import { type FleetOutputJson, type OutputFile, outputJsonDigest, SignedOutputFile, type SignOutputJson } from './outputs';
import { isStated } from './statement';

/** `outputJson` is the parsed body, and `file` the text of the file. `head` is the manifest that the store has committed. */
export type ReceivedOutput = {
  readonly input: FleetInput;
  readonly outputJson: unknown;
  readonly file: string;
  readonly head: FleetManifest | null;
};

type Json = Parameters<typeof canonical>[0];

function assertSize(text: string): void {
  assertFleet('Size', Buffer.byteLength(text, 'utf8') <= FLEET_OUTPUT_BYTES_MAX);
}

/** Throws `FleetFault`. An accepted file has a single text, so no two parsers can read the file differently. */
export function signedFileIn(text: string): SignedOutputFile {
  assertSize(text);
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  if (!json.ok) throw new FleetFault('Form', `file ${json.fault.path} ${json.fault.message}`);
  const read = SignedOutputFile.safeParse(json.value);
  if (!read.success) throw formFault('file', read.error);
  assertFleet('Form', canonical(json.value as Json) === text, 'file');
  return read.data;
}

export function outputJsonIn<S extends typeof FleetOutputJson | typeof SignOutputJson>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (!read.success) throw formFault('outputJson', read.error);
  assertSize(canonical(read.data as never));
  return read.data as z.output<S>;
}

const formFault = (part: string, error: z.ZodError): FleetFault =>
  new FleetFault('Form', [part, ...(error.issues[0]?.path ?? [])].join('.'));

/** Throws `FleetFault` unless both parts are for this group, by the device in the file. Returns the file. */
export function assertBelongs(received: ReceivedOutput, outputJson: FleetOutputJson | SignOutputJson): OutputFile {
  const { input, head } = received;
  const { output, signed } = signedFileIn(received.file);
  assertFleet('Organisation', outputJson.org_id === input.orgId);
  assertFleet('Store', outputJson.keystore_id === input.storeId);
  assertFleet('Fleet', outputJson.fleet_id === input.fleetId);
  assertFleet('Group', output.groupId === input.groupId && (outputJson.group_id ?? input.groupId) === input.groupId);
  assertFleet('InputDigest', output.inputDigest === inputDigest(input));
  assertFleet('OutputDigest', output.outputJsonDigest === outputJsonDigest(outputJson));
  assertFleet('Head', input.manifest === (head === null ? null : manifestDigest(head)));
  assertFleet('DeviceIdentity', output.device.role === 'Device' && isSoundCard(output.device));
  assertFleet('DeviceSignature', signed.by === output.device.signingKey && isStated('output', output, signed));
  return output;
}

export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one !== undefined && other !== undefined && canonical(one) === canonical(other);
