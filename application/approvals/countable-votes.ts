import { isDecisionPath, type Vote } from '../../domain/approvals';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { ApprovalVoteEntity } from '../../entities/approvals/approval-vote.entity';
import type { Reader } from '../../entities/database';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import type { SecretBox } from '../../platform/secret-box';
import { verifyRecordedActions } from '../user-actions/recorded-actions';
import { areOldCredentials } from './voter-credentials';

/** Decrypts the signed bodies of user actions. */
export type Proofs = { readonly signedBodies: SecretBox };

/**
 * Returns the votes that are taken into account. The recorded user action of an approving vote must prove that the voter signed
 * the approval's digest. The signing credentials must be unchanged since the request for approval. Every denial is taken into
 * account, because a denial needs no proof.
 */
export async function countableVotes(reader: Reader, approval: ApprovalEntity, { signedBodies }: Proofs): Promise<Vote[]> {
  const votes = await approvalStore.votes(reader, [approval.id]);
  const ids = votes.filter(({ value }) => value === 'Approved').map(({ userActionId }) => userActionId);
  const recorded = await verifyRecordedActions(reader, ids, { asOf: approval.dateCreated, signedBodies });
  const approves = ({ userActionId, userId }: ApprovalVoteEntity): boolean => {
    const found = recorded.get(userActionId);
    if (found?.kind !== 'Proven' || found.action.userId !== userId) return false;
    return decides(found.action, approval) && areOldCredentials(approval, found.action.credentials);
  };
  return votes.filter((vote) => vote.value !== 'Approved' || approves(vote));
}

function decides({ method, path, approvalDigest, decided }: UserActionEntity, { id, digest }: ApprovalEntity): boolean {
  if (method !== 'POST') return false;
  if (decided !== null) {
    return isDecisionPath(path) && decided.some((one) => one.approvalId === id && one.digest === digest);
  }
  return isDecisionPath(path, id) && approvalDigest === digest;
}
