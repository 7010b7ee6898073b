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

export type ApprovedGrounds = {
  readonly activityId: string;
  readonly envelope: ApprovalEnvelope;
  readonly verdictId: string | null;
  readonly policyEpoch: number | null;
  readonly approvalId: string | null;
  /**
   * The earlier request that this request repeats for a higher fee. The earlier verdict and approval cover this request, as
   * long as both requests have the same content.
   */
  readonly repeats: { readonly activityId: string; readonly approvalId: string | null } | null;
};

/**
 * `PolicyChanged`: the policies in force have not judged the record yet. `Refused`: these policies have judged the record, and
 * the verdict is not `Cleared`. `altered`: how the row differs from the judged or approved content.
 */
export type Footing = 'Sound' | 'PolicyChanged' | 'Refused' | { readonly altered: string };

/** Called with a record that differs from its judged or approved content. */
export type OnAltered = (record: { readonly orgId: string; readonly id: string }, why: string) => void;

export type Approving = Proofs & { readonly onAltered?: OnAltered | undefined };

export const ALTERED = {
  content: 'The request is not what was approved',
  votes: 'The approval lacks the votes of its approvers',
  verdict: 'The request is not what the policies judged',
} as const;

/** A JSON copy of the value, without the members that JSON omits. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const isSameIntent = (one: ApprovalEnvelope, other: ApprovalEnvelope): boolean =>
  digestOf(plain(one)) === digestOf(plain(other));

/**
 * Whether the current row of the activity matches the digest that the approvers signed (S2). Another writer may have altered the
 * row after the approvers signed.
 */
export function isWhatWasApproved(
  { committed, digest, activityId }: ApprovalEntity,
  asked: Pick<ApprovedGrounds, 'activityId' | 'envelope'>,
): boolean {
  if (committed === null || activityId !== asked.activityId) return false;
  return digestOf(plain({ ...(committed as ApprovalEnvelope), activityId, envelope: asked.envelope })) === digest;
}

/**
 * Whether every group has enough valid votes. The groups come from the content that the digest covers. The columns `status` and
 * `groups` are ignored, because no signature covers these columns.
 */
async function hasItsVotes(reader: Reader, approval: ApprovalEntity, proofs: Proofs): Promise<boolean> {
  const groups = committedGroups(approval);
  if (!groups) return false;
  const votes = await countableVotes(reader, approval, proofs);
  return groups.every(({ quorum }) => quorum > 0) && voteOutcome(groups, votes, await clockOf(reader)) === 'Approved';
}

/** Undefined if the record has a proven approval, or needs no approval. */
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

/**
 * The record must be locked. The caller has read the `PolicyStand` in this transaction, so the policies cannot change before
 * the transaction ends.
 */
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
