import type { EvaluationContext } from '../../domain/approvals';
import type { Rule } from '../../domain/policies';
import type { Screening } from '../../domain/screenings';
import { needsOfRule } from '../../policy/rules';

/** The finding of the vendor that the policy's rule queries; empty if there is no finding. */
export function screeningContextOf({ rule }: { readonly rule: Rule }, screenings: readonly Screening[]): EvaluationContext {
  const asked = needsOfRule(rule).screening;
  const screening = screenings.find(({ vendor }) => vendor === asked);
  return screening ? { context: { screening } } : {};
}
