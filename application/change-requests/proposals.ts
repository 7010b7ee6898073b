import { CHANGES, type ChangeStatus } from '../../domain/change-requests';
import { AppError, invariant } from '../../domain/errors';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Reader, Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import type { ChangeFacts, Outcome } from '../../policy/types';
import { CHANGE_REQUEST } from '../../workflows/change-request.messages';
import { type ApprovalEnvelope, evaluateChange } from '../policies/evaluate-activity';
import { tellActivityResolved } from '../policies/events';
import { foreseeingReach, watchingReach } from '../policies/reachability';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { type ChangeRequestView, changeRequestView } from './view';

type Intent = Pick<ChangeRequestEntity, 'kind' | 'operationKind' | 'entityId' | 'baseVersion' | 'before' | 'change'>;

/** The transaction that proposes the change has locked the record to be changed. */
export type Proposal = Intent & Pick<ChangeRequestEntity, 'subject' | 'body'>;

/** If the change no longer applies, writes nothing and returns the reason. */
export type Apply = (
  tx: Tx,
  request: Intent & Pick<ChangeRequestEntity, 'id' | 'requesterUserId' | 'requesterTokenId' | 'userActionId' | 'approvalId'>,
) => Promise<string | undefined>;

export type Proposed<T> = { readonly proposal: Proposal; readonly apply: Apply; readonly read: (tx: Tx) => Promise<T> };
/** `unchanged`: the request would change nothing. */
export type Plan<T> = { readonly unchanged: T } | Proposed<T>;

/** The change was made, or waits for approval. */
export type Changed<T> = { readonly value: T } | { readonly changeRequest: ChangeRequestView };

const STATUS_OF: Readonly<Record<Outcome, ChangeStatus>> = { Cleared: 'Applied', Held: 'Pending', Blocked: 'Rejected' };

/**
 * Makes a change at once, or holds the change if a policy requests approval. Throws `PolicyBlocked` if a policy blocks the
 * change. The change request is then recorded as `Rejected`, and the user action is used up.
 */
export async function makeChange<T>(
  { db, dispatcher }: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  plan: (tx: Tx, userActionId: string) => Promise<Plan<T>>,
): Promise<Changed<T>> {
  const made = await act(db, authority, async (tx, userActionId) => {
    await organizationStore.beginPolicyChange(tx);
    const planned = await plan(tx, userActionId);
    if ('unchanged' in planned) return { value: planned.unchanged };
    return propose(tx, authority, planned);
  });
  if ('blockedReason' in made) throw new AppError('PolicyBlocked', made.blockedReason);
  if ('value' in made) return made;
  // The call is not awaited, because the request is committed. If the call fails, the relay starts the workflow.
  void dispatcher.tryNow(authority.caller.orgId, made.start);
  return { changeRequest: made.changeRequest };
}

/** Makes the change unless the policies hold or block the change. */
export async function propose<T>(tx: Tx, { caller, action }: Authority, { proposal, apply, read }: Proposed<T>) {
  const { userId, tokenId } = caller;
  const asked = {
    ...{ id: newId('changeRequest'), ...proposal, requesterUserId: userId, requesterTokenId: tokenId },
    ...{ userActionId: action?.id ?? null, approvalId: null },
  };
  const now = await tx.clock();
  const pending = {
    ...asked,
    status: 'Pending',
    reason: null,
    dateCreated: now,
    dateResolved: null,
    usedBy: null,
  } as const;
  const judged = await evaluateChange(tx, activityOf({ ...pending, version: 1 }));
  const status = STATUS_OF[judged.outcome];
  const row = {
    ...pending,
    status,
    reason: judged.blockedReason,
    approvalId: judged.approval?.approvalId ?? null,
    dateResolved: status === 'Pending' ? null : now,
  };
  await changeRequestStore.add(tx, row);
  if (status === 'Rejected') await tellChangeResolved(tx, { ...row, version: 1 }, 'Blocked');
  if (status === 'Rejected') return { blockedReason: judged.blockedReason ?? 'Blocked by policy' };
  if (status === 'Applied') {
    const unfit = await watchingReach(tx, { cause: causeOf(proposal), userId, action }, () => apply(tx, asked));
    invariant(unfit === undefined, `a change of a locked record applies: ${unfit}`);
    return { value: await read(tx) };
  }
  await foreseeingReach(tx, { action }, () => apply(tx, asked));
  const start = startOfChange(row);
  await outboxStore.add(tx, start);
  return { changeRequest: changeRequestView(row), start };
}

/** Identifies the change in the record of an approval whose quorum the change has put out of reach. */
export const causeOf = ({ kind, operationKind, entityId }: Intent): string => `${operationKind} of ${kind} ${entityId}`;
/** Emits the event for a resolved change. Only a change that a policy held or blocked causes this event. */
export async function tellChangeResolved(
  tx: Tx,
  row: Omit<ChangeRequestEntity, 'orgId'>,
  status: 'Cleared' | 'Blocked',
): Promise<void> {
  await tellActivityResolved(tx, status, row, { kind: CHANGES[row.kind].activity, changeRequest: changeRequestView(row) });
}

export const startOfChange = ({
  id,
  kind,
  operationKind,
}: Pick<ChangeRequestEntity, 'id' | 'kind' | 'operationKind'>): Dispatch => ({
  kind: 'start',
  aggregateId: id,
  dedupeKey: `start:${id}`,
  routing: { workflow: CHANGE_REQUEST, summary: `${operationKind} of a ${kind.toLowerCase()} that people decide about` },
});

/** `priorApprovalId` is the approval of an earlier judgement. */
export function activityOf(row: Omit<ChangeRequestEntity, 'orgId'>, priorApprovalId?: string) {
  return {
    activityId: row.id,
    activityVersion: row.version,
    activity: { kind: CHANGES[row.kind].activity, changeRequest: changeRequestView(row) },
    initiatorId: row.requesterUserId,
    ...factsOf(row),
    envelope: changeEnvelopeOf(row),
    priorApprovalId,
  };
}

function factsOf({ kind, entityId, change }: Intent): Pick<ChangeFacts, 'permissionId' | 'policyId'> {
  if (kind === 'Permission') return { permissionId: entityId, policyId: null };
  if (kind === 'Assignment') return { permissionId: String(change['permissionId']), policyId: null };
  // With a null `policyId`, the change matches every filter by policy.
  return { permissionId: null, policyId: kind === 'Policy' ? entityId : null };
}

/** The content that the approvers sign (S2). */
export function changeEnvelopeOf({
  kind,
  operationKind,
  entityId,
  baseVersion,
  before,
  change,
  requesterUserId,
}: Intent & Pick<ChangeRequestEntity, 'requesterUserId'>): ApprovalEnvelope {
  // `before` and `change` are JSON values.
  const plain = JSON.parse(JSON.stringify({ before, change })) as ApprovalEnvelope;
  return { kind, operationKind, entityId, baseVersion, requester: requesterUserId, ...plain };
}

/**
 * Throws `ChangePending` if a change of the subject waits for approval, because a second change could overtake the pending
 * change.
 */
export async function assertNothingPending(reader: Reader, subject: string): Promise<void> {
  const pending = await changeRequestStore.pendingOf(reader, subject);
  if (pending)
    throw new AppError('ChangePending', 'another change of the same record is waiting for approval', {
      changeRequestId: pending.id,
      approvalId: pending.approvalId,
    });
}
