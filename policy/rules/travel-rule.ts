import type { TravelRuleState } from '../../domain/travel-rules';
import type { Facts, RuleOutcome } from '../types';

type End = Exclude<TravelRuleState, 'Requested' | 'Submitted' | 'Delivered'>;

const ENDS: Readonly<Record<End, RuleOutcome>> = {
  Accepted: { triggered: false, reason: 'The travel rule message was accepted' },
  Cleared: { triggered: false, reason: 'The travel rule message was delivered, and silence clears it' },
  Declined: { triggered: true, reason: 'The travel rule message was declined' },
  Invalid: { triggered: true, reason: 'The travel rule message is not valid' },
  TimedOut: { triggered: true, reason: 'The travel rule message was not answered in time' },
  Failed: { triggered: true, reason: 'The travel rule vendor could not be asked' },
};

/** Triggers on a transfer unless its message was accepted, or cleared by silence. Whatever is no transfer has none. */
export function travelRule({ travelRule: standing = { kind: 'NotCarried' } }: Facts): RuleOutcome {
  if (standing.kind === 'NotApplicable') return { triggered: false, reason: 'The travel rule applies to transfers alone' };
  if (standing.kind === 'NotCarried') return { triggered: true, reason: 'The transfer carries no travel rule information' };
  return ENDS[standing.state];
}
