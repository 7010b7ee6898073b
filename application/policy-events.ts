import { invariant } from '../domain/errors';
import type { Tx } from '../entities/database';
import { eventStore } from '../entities/events/event.store';
import { newId } from '../platform/ids';
import { covers } from '../policy/evaluate';
import type { Judged, Verdicts } from './evaluate-activity';
import { policyView } from './views/policies';

/** Tells of every policy that triggered and was not told of with the approval this activity has passed. */
export async function tellTriggered(tx: Tx, input: Judged, { policies, verdict, approved }: Verdicts): Promise<void> {
  const untold = verdict.evaluations.filter((one) => one.triggered && !covers(approved, one));
  if (untold.length === 0) return;
  const date = (await tx.clock()).toISOString();
  for (const evaluation of untold) {
    const policy = policies.find(({ id }) => id === evaluation.policyId);
    invariant(policy, 'an evaluation is of a policy in force');
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
        },
      },
    });
  }
}
