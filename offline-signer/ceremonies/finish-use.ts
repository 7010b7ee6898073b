import { assertSignOutput, type MessagesOf } from '../../platform/fleets/assert-sign-output';
import type { SignOutputJson } from '../../platform/fleets/outputs';
import { Refused } from '../refused';
import type { Files, Session } from '../session';
import type { Accepted } from './accept-input';
import { makeOutput, OUTPUT_FILE } from './make-output';

type UseKind = 'OnchainSign' | 'ProofOfControl';
export type Uses = SignOutputJson['outputs'];

function statusOf(uses: Uses, asked: number): SignOutputJson['status'] {
  const succeeded = Object.values(uses).filter(({ result }) => 'success' in result).length;
  if (succeeded === 0) return 'fail';
  return succeeded === asked ? 'success' : 'partial';
}

/** The output of a group that uses keys. The device checks its output as the service will, before anything leaves the device. */
export async function finishUse(
  session: Session,
  { input, task, digest, head, change }: Accepted<UseKind>,
  uses: Uses,
  messagesOf: MessagesOf,
): Promise<Files> {
  if (head === null) throw new Refused('This device does not belong to a fleet yet.');
  const outputJson: SignOutputJson = {
    ...{ type: 'keystore-output', version: 1, org_id: input.orgId, fleet_id: input.fleetId },
    ...{ keystore_id: input.storeId, group_id: input.groupId },
    ...{ status: statusOf(uses, task.requests.length), outputs: uses },
  };
  const files = makeOutput(session, outputJson, { input, digest, manifest: null });
  const received = { input, outputJson, file: files[OUTPUT_FILE] ?? '', head: head.manifest, messagesOf };
  await assertSignOutput(received);
  session.open.save({ ...change, last: { inputDigest: digest, files } });
  return files;
}
