import { isId } from '../../domain/ids';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Reader } from '../../entities/database';
import { type DecidedApproval, digestOfDecisions } from '../../platform/decided-approvals';

/** The content that the signature of a decision must cover, in addition to the request itself (S2). */
export type ApprovalCommitment = {
  readonly digest: string;
  /** The approvals that `digest` covers. Null for a decision on a single approval, whose row contains the digest. */
  readonly decided: readonly DecidedApproval[] | null;
};

export async function commitmentToOne(reader: Reader, approvalId: string): Promise<ApprovalCommitment | undefined> {
  const row = isId('approval', approvalId) ? await approvalStore.find(reader, approvalId) : undefined;
  return row && { digest: row.digest, decided: null };
}

/** The approvals are ordered by id, so that a tool can recompute the digest. */
export async function commitmentToAll(reader: Reader, approvalIds: readonly string[]): Promise<ApprovalCommitment> {
  const digests = new Map(
    (
      await approvalStore.digests(
        reader,
        approvalIds.filter((id) => isId('approval', id)),
      )
    ).map(({ id, digest }) => [id, digest]),
  );
  const decided = [...approvalIds].sort().map((approvalId) => ({ approvalId, digest: digests.get(approvalId) ?? null }));
  return { digest: digestOfDecisions(decided), decided };
}
