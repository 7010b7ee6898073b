import type { TravelRuleConfiguration, TravelRuleEnd } from '../../domain/travel-rules';
import type { Facts, RuleOutcome } from '../types';

type Rule = { readonly configuration: Pick<TravelRuleConfiguration, 'autoClearAfterDeliveredTimeoutSeconds'> };

const ENDS: Readonly<Record<TravelRuleEnd, RuleOutcome>> = {
  Accepted: { triggered: false, reason: 'The travel rule message was accepted' },
  Cleared: { triggered: false, reason: 'The travel rule message was delivered, and silence clears it' },
  Declined: { triggered: true, reason: 'The travel rule message was declined' },
  Invalid: { triggered: true, reason: 'The travel rule message is not valid' },
  TimedOut: { triggered: true, reason: 'The travel rule message was not answered in time' },
  Failed: { triggered: true, reason: 'The travel rule vendor could not be asked' },
};

/** Triggers on a transfer unless its message was accepted, or cleared by silence. Whatever is no transfer has none. */
export function travelRule({ configuration }: Rule, { travelRule: standing = { kind: 'NotCarried' } }: Facts): RuleOutcome {
  switch (standing.kind) {
    case 'NotApplicable':
      return { triggered: false, reason: 'The travel rule applies to transfers alone' };
    case 'NotCarried':
      return { triggered: true, reason: 'The transfer carries no travel rule information' };
    case 'NotSent':
      return { triggered: true, reason: 'The travel rule message is not sent for policies in Shadow alone' };
    case 'Ended':
      // The policy may be younger than the wait whose silence counted, and only a stricter verdict counts then (S9).
      return standing.state === 'Cleared' && configuration.autoClearAfterDeliveredTimeoutSeconds === undefined
        ? { triggered: true, reason: 'The travel rule message was not answered, and silence clears nothing here' }
        : ENDS[standing.state];
  }
}
