import type { Evaluation } from '../../domain/approvals';
import type { Reader } from '../../entities/database';
import type { VerdictEntity } from '../../entities/policies/verdict.entity';
import { type ShadowPage, verdictStore } from '../../entities/policies/verdict.store';
import { getPolicy } from '../policies/policies';

/** The verdicts for which this shadow policy was evaluated, newest first; at most one more than a page. Throws `NotFound`. */
export async function listShadowResults(reader: Reader, page: ShadowPage): Promise<VerdictEntity[]> {
  await getPolicy(reader, page.policyId);
  return verdictStore.shadowed(reader, page);
}

/** The policy's outcome, together with that of the policies in force. */
export function shadowResultView(policyId: string, { activityKind, activityId, outcome, dateCreated, shadows }: VerdictEntity) {
  // The evaluation wrote them, so their types are known.
  const found = (shadows as readonly Evaluation[]).find((one) => one.policyId === policyId);
  return {
    activityKind,
    activityId,
    date: dateCreated.toISOString(),
    outcome,
    policyVersion: found?.policyVersion ?? 0,
    triggered: found?.triggered ?? false,
    reason: found?.reason ?? '',
  };
}
