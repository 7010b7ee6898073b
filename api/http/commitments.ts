import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { Reader } from '../../entities/database';
import { parseStrictJson } from '../../platform/strict-json';
import type { TokenOperation } from './operation';

/**
 * Returns the data to which a user action must commit in addition to this request (S2). For a request with invalid fields there
 * is no such data, because the operation will refuse the request.
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
