import type { Activity } from '../../domain/approvals';
import { invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { newId } from '../../platform/ids';
import { covers } from '../../policy/evaluate';
import { screeningContextOf } from '../screenings/context';
import type { ActivityFacts, Verdicts } from './evaluate-activity';
import { policyView } from './view';

export type Resolved = { readonly id: string; readonly version: number; readonly approvalId: string | null };

/**
 * Call this function only for an activity that a policy had held or blocked, in the database transaction that makes the activity
 * final. `Blocked` means that the activity ends because of a policy. A verdict alone does not resolve an activity, because
 * policies may change before anything is signed.
 */
export async function tellActivityResolved(
  tx: Tx,
  status: 'Cleared' | 'Blocked',
  { id, version, approvalId }: Resolved,
  activity: Activity,
): Promise<void> {
  const data = { status, activity, ...(approvalId === null ? {} : { approvalId }) };
  await eventStore.emit(tx, { kind: 'policy.activity.resolved', aggregateId: id, aggregateVersion: version, data });
}

/**
 * Emits an event for each policy that triggered. Skips a policy that the activity's earlier approval covers, because the event
 * for this policy already exists.
 */
export async function tellTriggered(
  tx: Tx,
  input: ActivityFacts,
  { policies, verdict, approved, screenings }: Verdicts,
): Promise<void> {
  const untold = verdict.evaluations.filter((one) => one.triggered && !covers(approved, one));
  if (untold.length === 0) return;
  const date = (await tx.clock()).toISOString();
  for (const evaluation of untold) {
    const policy = policies.find(({ id }) => id === evaluation.policyId);
    invariant(policy, 'every evaluation has a policy in force');
    const { reason } = evaluation;
    await eventStore.emit(tx, {
      kind: 'policy.triggered',
      aggregateId: input.activityId,
      aggregateVersion: input.activityVersion,
      data: {
        policyEvaluation: {
          id: newId('policyEvaluation'),
          triggered: true,
          reason,
          date,
          policy: policyView(policy),
          activity: input.activity,
          ...screeningContextOf(policy, screenings),
        },
      },
    });
  }
}
