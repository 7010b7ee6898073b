import type { ChangeKind, ChangeStanding } from '../../domain/change-requests';
import { invariant } from '../../domain/errors';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { Proofs } from '../approvals/countable-votes';
import { expireApproval, reviewApproval } from '../approvals/ends';
import { nextNotice } from '../approvals/notices';
import { type Approving, whyNotApproved } from '../approvals/what-was-approved';
import { applyToFreeze } from '../freezes/request-freeze';
import { applyToDelegation } from '../keys/delegate-key';
import type { Mailing } from '../mails/mails';
import { applyToSettings } from '../organizations/settings';
import { applyToAssignment } from '../permissions/assignments';
import { applyToPermission } from '../permissions/permissions';
import { evaluateChange } from '../policies/evaluate-activity';
import { applyToPolicy } from '../policies/policies';
import { watchingReach } from '../policies/reachability';
import { applyToContractSchema } from '../registry/contract-schemas';
import { applyToRegistryAddress } from '../registry/registry-addresses';
import { type Apply, activityOf, causeOf, changeEnvelopeOf, startOfChange, tellChangeResolved } from './proposals';

/**
 * An approved change request of this kind changes nothing by itself. The request is a grant, and the requester uses up the grant
 * by sending the same request again.
 */
const becomesGrant: Apply = async () => undefined;

const APPLY: Readonly<Record<ChangeKind, (services: Mailing) => Apply>> = {
  Permission: () => applyToPermission,
  Assignment: () => applyToAssignment,
  Policy: () => applyToPolicy,
  Freeze: () => applyToFreeze,
  Alias: () => applyToRegistryAddress,
  SmartContract: () => applyToContractSchema,
  KeyExport: () => becomesGrant,
  KeyImport: () => becomesGrant,
  KeyDelegation: () => applyToDelegation,
  OrganizationSettings: applyToSettings,
};

type Held = Extract<ChangeStanding, { outcome: 'Held' }>;

export type Releasing = Approving & Mailing;

/** Ends the change if the approvers have decided. If the policies have become stricter, the change waits for a new approval. */
export async function reviewChange(tx: Tx, changeRequestId: string, releasing: Releasing): Promise<ChangeStanding> {
  await organizationStore.beginPolicyChange(tx);
  const row = await changeRequestStore.lock(tx, changeRequestId);
  if (row.status !== 'Pending') return { outcome: 'Ended', status: row.status };
  const { approvalId } = row;
  invariant(approvalId !== null, 'a pending change request has an approval');
  const { status, groups, reason } = await reviewApproval(tx, approvalId);
  if (status === 'Approved') return release(tx, row, approvalId, releasing);
  if (status !== 'Pending') return end(tx, row, 'Rejected', reason);
  const approval = await approvalStore.find(tx, approvalId);
  const dateExpires = approval?.dateExpires ?? null;
  const now = await tx.clock();
  const held: Held = { outcome: 'Held', approvalId, groups, ...(await nextNotice(tx, approvalId, now)) };
  return dateExpires === null ? held : { ...held, rejectsItselfAfterMs: Math.max(0, dateExpires.getTime() - now.getTime()) };
}

/** If a vote has decided the approval before the expiry, that decision stands. */
export async function expireChange(
  tx: Tx,
  changeRequestId: string,
  approvalId: string,
  releasing: Releasing,
): Promise<ChangeStanding> {
  await organizationStore.beginPolicyChange(tx);
  const row = await changeRequestStore.lock(tx, changeRequestId);
  // A late timer of an earlier approval must not end the approval for which the change waits now.
  if (row.status === 'Pending' && row.approvalId === approvalId) await expireApproval(tx, approvalId);
  return reviewChange(tx, changeRequestId, releasing);
}

/** Has no effect on a change that has ended. */
export async function failChange(tx: Tx, changeRequestId: string, reason: string): Promise<ChangeStanding> {
  const row = await changeRequestStore.lock(tx, changeRequestId);
  if (row.status !== 'Pending') return { outcome: 'Ended', status: row.status };
  return end(tx, row, 'Failed', reason);
}

/** Returns the routing that starts the workflow of the change again; undefined for a change that has ended. */
export async function restartChange(tx: Tx, changeRequestId: string): Promise<Dispatch['routing'] | undefined> {
  const row = await changeRequestStore.lock(tx, changeRequestId);
  return row.status === 'Pending' ? startOfChange(row).routing : undefined;
}

/** Judges the change again under the policies now in force, and applies the change unless the new verdict is stricter (S9). */
async function release(
  tx: Tx,
  row: ChangeRequestEntity,
  approvalId: string,
  { onAltered, signedBodies, ...mailing }: Releasing,
): Promise<ChangeStanding> {
  const altered = await whyChangeNotApproved(tx, row, { signedBodies });
  if (altered !== undefined) {
    onAltered?.({ orgId: tx.orgId, id: row.id }, altered);
    return end(tx, row, 'Failed', altered, 'Blocked');
  }
  const judged = await evaluateChange(tx, activityOf(row, approvalId));
  if (judged.outcome === 'Blocked') return end(tx, row, 'Rejected', judged.blockedReason);
  if (judged.outcome === 'Cleared') {
    // There is no caller to warn, so the approvals that the change makes unreachable are only recorded.
    const change = { cause: causeOf(row), userId: row.requesterUserId, action: undefined };
    const unfit = await watchingReach(tx, change, () => APPLY[row.kind](mailing)(tx, row));
    return unfit === undefined ? end(tx, row, 'Applied', null) : end(tx, row, 'Failed', unfit);
  }
  const { approval: renewed } = judged;
  invariant(renewed, 'a held change has an approval');
  await changeRequestStore.move(tx, row, { status: 'Pending', reason: null, approvalId: renewed.approvalId });
  const { dateExpires: _forPeople, rejectsItselfAfterMs, ...waiting } = renewed;
  const held: Held = { outcome: 'Held', ...waiting };
  return rejectsItselfAfterMs === null ? held : { ...held, rejectsItselfAfterMs };
}

export const whyChangeNotApproved = (tx: Tx, row: ChangeRequestEntity, proofs: Proofs): Promise<string | undefined> =>
  whyNotApproved(tx, { activityId: row.id, envelope: changeEnvelopeOf(row), approvalId: row.approvalId, repeats: null }, proofs);

async function end(
  tx: Tx,
  row: ChangeRequestEntity,
  status: 'Applied' | 'Failed' | 'Rejected',
  reason: string | null,
  resolved: 'Cleared' | 'Blocked' = status === 'Rejected' ? 'Blocked' : 'Cleared',
): Promise<ChangeStanding> {
  await changeRequestStore.move(tx, row, { status, reason, approvalId: row.approvalId });
  await tellChangeResolved(tx, await changeRequestStore.lock(tx, row.id), resolved);
  return { outcome: 'Ended', status };
}
