import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { Reader } from '../../entities/database';
import { parseStrictJson } from '../../platform/strict-json';
import type { TokenOperation } from './operation';

/**
 * What a user action for this request must commit to beyond the request itself (S2). Of one whose fields are not what the operation
 * takes there is nothing: it will be refused for them.
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
