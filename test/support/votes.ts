import { decideApproval } from '../../application/approvals/approvals';
import type { VoteValue } from '../../domain/approvals';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Database } from '../../entities/database';
import type { Actor, Asked } from './actor';

/** Votes on an approval, with a signature over its current state. The vote wakes no workflow. */
export async function vote(
  db: Database,
  voter: Actor,
  approvalId: string,
  value: VoteValue,
  asked: Partial<Asked> = {},
): Promise<void> {
  const { orgId } = voter.caller;
  const approvalDigest = (await approvalStore.find(db.read(orgId), approvalId))?.digest ?? null;
  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  const authority = await voter.authority({ path, approvalDigest, ...asked });
  const silent = async () => undefined;
  const dispatcher = { carryOut: silent, tryNow: silent, execute: () => Promise.reject(new Error('nothing is executed here')) };
  await decideApproval({ db, dispatcher }, authority, approvalId, { value });
}
