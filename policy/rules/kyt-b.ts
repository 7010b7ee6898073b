import type { Rule } from '../../domain/policies';
import type { Facts, RuleOutcome } from '../types';
import { notScreened } from './not-screened';

type KytB = Extract<Rule, { kind: 'KytBTransactionPrescreening' }>;

/** Triggers at the threshold and above. */
export function kytB({ configuration }: KytB, { screenings = [] }: Facts): RuleOutcome {
  const result = screenings.find((one) => one.vendor === 'KytB')?.result ?? { kind: 'VendorFailed', failure: 'no answer' };
  if (result.kind !== 'Screened') {
    const { skipKytBFailure: skipVendorFailure, ...fallbacks } = configuration.fallbackBehaviours;
    return notScreened(result, { ...fallbacks, skipVendorFailure });
  }
  const { riskScoreThreshold } = configuration;
  // Asked this way round, a score that is no number triggers.
  return result.riskScore < riskScoreThreshold
    ? { triggered: false, reason: `The risk score ${result.riskScore} is below the threshold of ${riskScoreThreshold}` }
    : { triggered: true, reason: `The risk score ${result.riskScore} reaches the threshold of ${riskScoreThreshold}` };
}
