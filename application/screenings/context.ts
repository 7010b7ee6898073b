import type { EvaluationContext } from '../../domain/approvals';
import type { Rule } from '../../domain/policies';
import type { Screening, ScreeningVendor } from '../../domain/screenings';

const VENDORS: Partial<Readonly<Record<Rule['kind'], ScreeningVendor>>> = {
  KytATransactionPrescreening: 'KytA',
  KytATransactionScreening: 'KytA',
  KytBTransactionPrescreening: 'KytB',
};

/** The vendor's finding, for a policy that looks at it. */
export function screeningContextOf({ rule }: { readonly rule: Rule }, screenings: readonly Screening[]): EvaluationContext {
  const screening = screenings.find(({ vendor }) => vendor === VENDORS[rule.kind]);
  return screening ? { context: { screening } } : {};
}
