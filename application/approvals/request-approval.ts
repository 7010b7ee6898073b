import { z } from 'zod';
import type { Activity, ApprovalGroup, Evaluation } from '../../domain/approvals';
import { MINUTE_MS } from '../../domain/durations';
import { invariant } from '../../domain/errors';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import { type GroupStanding, standingsOf } from '../../policy/approvals';
import type { ChangeActivity, Verdicts, WalletSign } from '../policies/evaluate-activity';
import { screeningContextOf } from '../screenings/context';
import { planNotices } from './notices';
import { approvalView } from './view';
import { voterCredentials } from './voter-credentials';
import { votersNow } from './voters';

const Committed = z.looseObject({
  groups: z.array(z.custom<ApprovalGroup>((one) => typeof one === 'object' && one !== null)),
});

/**
 * The groups inside `committed`, which is the content that the approvers sign. No signature covers the column `groups` of the
 * row.
 */
export const committedGroups = ({ committed }: Pick<ApprovalEntity, 'committed'>): readonly ApprovalGroup[] | undefined =>
  Committed.safeParse(committed).data?.groups;

export type HeldApproval = {
  readonly approvalId: string;
  /** An ISO 8601 date for people to read. */
  readonly dateExpires: string | null;
  /** The duration of the workflow's timer; null if the approval never expires. */
  readonly rejectsItselfAfterMs: number | null;
  /** Absent if no notice to approvers is planned. */
  readonly nextNoticeInMs?: number;
  readonly groups: readonly GroupStanding[];
};

export async function requestApproval(
  tx: Tx,
  input: WalletSign | ChangeActivity,
  { policies, verdict, screenings }: Verdicts,
  policyEpoch: number,
): Promise<HeldApproval> {
  const approvalId = newId('approval');
  const { activityId, initiatorId, envelope } = input;
  const activityKind = input.activity.kind;
  const groups = await votersNow(tx, verdict.groups, initiatorId);
  const triggered = verdict.evaluations.filter((one) => one.triggered);
  const rejectsItselfAfterMs = verdict.autoRejectTimeoutMinutes === null ? null : verdict.autoRejectTimeoutMinutes * MINUTE_MS;
  const dateExpires = rejectsItselfAfterMs === null ? null : new Date((await tx.clock()).getTime() + rejectsItselfAfterMs);
  const committed = {
    v: 1,
    org: tx.orgId,
    activityKind,
    activityId,
    envelope,
    policies: triggered.map(({ policyId, policyVersion }) => ({ id: policyId, version: policyVersion })),
    groups,
    credentials: await voterCredentials(tx, groups),
  };
  await approvalStore.create(tx, {
    id: approvalId,
    activityKind,
    activityId,
    initiatorId,
    activity: heldBy(input.activity, approvalId),
    digest: digestOf(committed),
    committed,
    groups,
    evaluations: verdict.evaluations.map((one) => ({ ...one, ...screeningContextOf(policyOf(policies, one), screenings) })),
    policyEpoch,
    dateExpires,
  });
  const row = await approvalStore.find(tx, approvalId);
  invariant(row, 'the approval was just written');
  await eventStore.emit(tx, {
    kind: 'policy.approval.pending',
    aggregateId: approvalId,
    aggregateVersion: row.version,
    data: { approval: approvalView(row, []) },
  });
  const told = await planNotices(tx, approvalId, groups, reminderAfter(policies, triggered));
  const standings = standingsOf(groups, [], row.dateCreated);
  return { approvalId, dateExpires: dateExpires?.toISOString() ?? null, rejectsItselfAfterMs, groups: standings, ...told };
}

function policyOf(policies: Verdicts['policies'], { policyId }: Evaluation): Verdicts['policies'][number] {
  const policy = policies.find(({ id }) => id === policyId);
  invariant(policy, 'every evaluation has a policy in force');
  return policy;
}

/** The shortest reminder delay among the policies that request approval. */
function reminderAfter(policies: Verdicts['policies'], triggered: readonly Evaluation[]): number | undefined {
  const minutes = policies
    .filter(({ id }) => triggered.some(({ policyId }) => policyId === id))
    .flatMap(({ action }) => (action.kind === 'RequestApproval' ? (action.reminderAfterMinutes ?? []) : []));
  return minutes.length === 0 ? undefined : Math.min(...minutes);
}

function heldBy(activity: Activity, approvalId: string): Activity {
  if ('transferRequest' in activity) return { ...activity, transferRequest: { ...activity.transferRequest, approvalId } };
  if ('transactionRequest' in activity)
    return { ...activity, transactionRequest: { ...activity.transactionRequest, approvalId } };
  if ('signatureRequest' in activity) return { ...activity, signatureRequest: { ...activity.signatureRequest, approvalId } };
  // An incoming transfer is already on chain, so no approval is ever requested for the transfer.
  if ('blockchainEvent' in activity) return activity;
  return { ...activity, changeRequest: { ...activity.changeRequest, approvalId } };
}
