import type { Vote } from '../domain/approvals';
import type { ApprovalEntity } from '../entities/approvals/approval.entity';
import { approvalStore } from '../entities/approvals/approval.store';
import type { Reader } from '../entities/database';
import type { UserActionEntity } from '../entities/user-actions/user-action.entity';
import type { SecretBox } from '../platform/secret-box';
import { verifyRecordedAction } from './recorded-actions';
import { hasOldCredentials } from './voter-credentials';

/** With what records of user actions are verified. */
export type Proofs = { readonly signedBodies: SecretBox };

/**
 * The votes of an approval that count, from their records alone: of the approvals those that their voter signed over this digest, with a credential as
 * it stood when the approval was asked for. Every denial counts, because nobody has to prove a no.
 */
export async function countableVotes(reader: Reader, approval: ApprovalEntity, { signedBodies }: Proofs): Promise<Vote[]> {
  const counted: Vote[] = [];
  for (const vote of await approvalStore.votes(reader, [approval.id])) {
    if (vote.value === 'Approved') {
      const recorded = await verifyRecordedAction(reader, vote.userActionId, { asOf: approval.dateCreated, signedBodies });
      if (recorded.kind !== 'Proven' || recorded.action.userId !== vote.userId) continue;
      if (!decides(recorded.action, approval) || !(await hasOldCredentials(reader, approval, recorded.action))) continue;
    }
    counted.push(vote);
  }
  return counted;
}

/** Whether the signature is over this approval, be it among others. */
function decides({ method, path, approvalDigest, decided }: UserActionEntity, { id, digest }: ApprovalEntity): boolean {
  if (method !== 'POST') return false;
  if (decided !== null) {
    return isAt(path, 'policy-approvals/decisions') && decided.some((one) => one.approvalId === id && one.digest === digest);
  }
  return isAt(path, `policy-approvals/${id}/decisions`) && approvalDigest === digest;
}

const isAt = (path: string, place: string): boolean => path === `/v2/${place}` || path === `/${place}`;
