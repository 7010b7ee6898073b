import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { Reader } from '../../entities/database';
import { parseStrictJson } from '../../platform/strict-json';
import type { TokenOperation } from './operation';

/**
 * The data to which a user action must commit in addition to the request (S2). Undefined if the operation does not need such
 * data, and for a request with invalid fields, because the operation will refuse that request.
 */
export async function commitmentOf(
  operation: TokenOperation,
  reader: Reader,
  params: Readonly<Record<string, string>>,
  bytes: Buffer,
): Promise<ApprovalCommitment | undefined> {
  const json = parseStrictJson(bytes);
  const [address, body] = [operation.params.safeParse(params), operation.body.safeParse(json.ok ? json.value : undefined)];
  return address.success && body.success ? operation.commitment?.(reader, address.data, body.data) : undefined;
}
