import type { Evaluation } from '../../domain/approvals';
import type { Reader } from '../../entities/database';
import type { VerdictEntity } from '../../entities/policies/verdict.entity';
import { type ShadowPage, verdictStore } from '../../entities/policies/verdict.store';
import { getPolicy } from '../policies/policies';

/**
 * Lists the newest verdict first. If there is a next page, the list contains one verdict more than `limit`. Throws `NotFound`.
 */
export async function listShadowResults(reader: Reader, page: ShadowPage): Promise<VerdictEntity[]> {
  await getPolicy(reader, page.policyId);
  return verdictStore.shadowed(reader, page);
}

/** The result of a shadow policy for one activity, together with the outcome of the policies in force. */
export function shadowResultView(policyId: string, { activityKind, activityId, outcome, dateCreated, shadows }: VerdictEntity) {
  // The evaluation wrote `shadows`, so the type of its members is known.
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
