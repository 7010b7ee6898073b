import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import { clockOf } from '../../entities/clock';
import type { Reader, Tx } from '../../entities/database';
import type { PolicyStand } from '../../entities/organizations/organization.store';
import { verdictStore } from '../../entities/policies/verdict.store';
import { digestOf } from '../../platform/canonical';
import { voteOutcome } from '../../policy/approvals';
import type { ApprovalEnvelope } from '../policies/evaluate-activity';
import { countableVotes, type Proofs } from './countable-votes';
import { committedGroups } from './request-approval';

/** On what a record goes on: what its row says now, and the records of what policies and people said about it. */
export type ApprovedGrounds = {
  readonly activityId: string;
  readonly envelope: ApprovalEnvelope;
  readonly verdictId: string | null;
  readonly policyEpoch: number | null;
  readonly approvalId: string | null;
  /** The request that this one makes again for a higher fee. Its verdict and its approval stand for both while both say the same. */
  readonly repeats: { readonly activityId: string; readonly approvalId: string | null } | null;
};

/**
 * `PolicyChanged`: to be judged first. `Refused`: its last verdict, reached when its claims were taken already, does not let it go on.
 * `altered` says why the row is not what was judged or approved.
 */
export type Footing = 'Sound' | 'PolicyChanged' | 'Refused' | { readonly altered: string };

/** Hears of a record that is not what was judged or approved. */
export type OnAltered = (record: { readonly orgId: string; readonly id: string }, why: string) => void;

/** By what a step finds that a record is what was approved, and whom it tells where that is not so. */
export type Approving = Proofs & { readonly onAltered?: OnAltered | undefined };

export const ALTERED = {
  content: 'It is not what was approved',
  votes: 'Its approval lacks the votes of its approvers',
  verdict: 'It is not what the policies have judged',
} as const;

/** Values that were JSON once or go into it, without what JSON leaves out. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Whether two readings of what is intended are the same in everything. */
export const isSameIntent = (one: ApprovalEnvelope, other: ApprovalEnvelope): boolean =>
  digestOf(plain(one)) === digestOf(plain(other));

/** The rows may have been written since by somebody who is not us: the approvers signed the digest of what they saw (S2). */
export function isWhatWasApproved(
  { committed, digest, activityId }: ApprovalEntity,
  asked: Pick<ApprovedGrounds, 'activityId' | 'envelope'>,
): boolean {
  if (committed === null || activityId !== asked.activityId) return false;
  return digestOf(plain({ ...(committed as ApprovalEnvelope), activityId, envelope: asked.envelope })) === digest;
}

/**
 * Whether the votes alone make the quorum of every group, whatever the row says of its status. The groups are those of the digest, and
 * of the approvals only those count whose signature is over that digest.
 */
async function hasItsVotes(reader: Reader, approval: ApprovalEntity, proofs: Proofs): Promise<boolean> {
  const groups = committedGroups(approval);
  if (!groups) return false;
  const votes = await countableVotes(reader, approval, proofs);
  return groups.every(({ quorum }) => quorum > 0) && voteOutcome(groups, votes, await clockOf(reader)) === 'Approved';
}

/** Why what the row says is not what people approved; undefined where it is, or nobody was asked. */
export async function whyNotApproved(
  reader: Reader,
  { activityId, envelope, approvalId, repeats }: Omit<ApprovedGrounds, 'verdictId' | 'policyEpoch'>,
  proofs: Proofs,
): Promise<string | undefined> {
  const asked = approvalId === null ? repeats : { activityId, approvalId };
  if (asked === null || asked.approvalId === null) return undefined;
  const approval = await approvalStore.find(reader, asked.approvalId);
  if (!approval || !isWhatWasApproved(approval, { activityId: asked.activityId, envelope })) return ALTERED.content;
  return approval.status === 'Approved' && (await hasItsVotes(reader, approval, proofs)) ? undefined : ALTERED.votes;
}

/** Whether a locked record may go on under the policies of this stand of the transaction, which stay in force until it ends. */
export async function footingOf(
  tx: Tx,
  grounds: ApprovedGrounds,
  { policyEpoch: inForce }: PolicyStand,
  proofs: Proofs,
): Promise<Footing> {
  const { activityId, envelope, verdictId, policyEpoch, repeats } = grounds;
  const [altered, verdict] = await Promise.all([
    whyNotApproved(tx, grounds, proofs),
    verdictId === null ? undefined : verdictStore.find(tx, verdictId),
  ]);
  if (altered !== undefined) return { altered };
  if (verdictId === null) return 'PolicyChanged';
  const isOfThis = verdict?.activityId === activityId || (repeats !== null && verdict?.activityId === repeats.activityId);
  const judged = (verdict?.facts as { readonly envelope?: ApprovalEnvelope } | undefined)?.envelope;
  if (!isOfThis || judged === undefined || !isSameIntent(judged, envelope)) return { altered: ALTERED.verdict };
  if (policyEpoch !== inForce) return 'PolicyChanged';
  return verdict?.outcome === 'Cleared' ? 'Sound' : 'Refused';
}
