import { invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import type { FleetOutputEntity } from '../../entities/fleets/fleet-output.entity';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import { sha256Hex } from '../../platform/digests';
import { assertSignOutput, type SignResult } from '../../platform/fleets/assert-sign-output';
import { SignedInput } from '../../platform/fleets/inputs';
import type { FleetManifest } from '../../platform/fleets/manifests';

type Received = Pick<FleetOutputEntity, 'outputJson' | 'file'>;
type Of = { readonly group: Pick<FleetGroupEntity, 'id' | 'input'>; readonly head: FleetManifest | null };

/**
 * Verifies the output of a group that uses keys. Each signature must be over the bytes for which the signer has vouched, or over the
 * message of the archive for a proof of control.
 * Throws `FleetFault`.
 */
export async function verifiedSignatures(
  reader: Reader,
  { group: { id, input: archive }, head }: Of,
  { outputJson, file }: Received,
): Promise<{ readonly result: SignResult; readonly outputDigest: string }> {
  invariant(archive !== null && outputJson !== null && file !== null, 'an output that waits has its texts');
  const { input } = SignedInput.parse(JSON.parse(archive));
  const rows = await offlineRequestStore.ofGroup(reader, id);
  const messages = new Map(rows.map(({ requestId, messages: hex }) => [requestId, (hex ?? []).map(bytesOf)]));
  const messagesOf = (requestId: string) => messages.get(requestId) ?? [];
  const result = await assertSignOutput({ input, outputJson: JSON.parse(outputJson) as unknown, file, head, messagesOf });
  return { result, outputDigest: sha256Hex(file) };
}

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');
