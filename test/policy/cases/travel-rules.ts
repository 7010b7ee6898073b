import type { Rule } from '../../../domain/policies';
import type { TravelRuleStanding } from '../../../domain/travel-rules';
import type { RuleCase } from './case';

const rule = (autoClearAfterDeliveredTimeoutSeconds?: number): Rule => ({
  kind: 'TravelRuleTransactionPrescreening',
  configuration: {
    vendor: 'TravelRuleVendor',
    autoTriggerTimeoutSeconds: 60,
    ...(autoClearAfterDeliveredTimeoutSeconds === undefined ? {} : { autoClearAfterDeliveredTimeoutSeconds }),
  },
});

const SILENCE = 'an unanswered message that was cleared after its time-out';
const ENDS: readonly (readonly [title: string, standing: TravelRuleStanding | undefined, triggers: boolean])[] = [
  ['an activity that is not a transfer', { kind: 'NotApplicable' }, false],
  ['a transfer without a message', { kind: 'NotCarried' }, true],
  ['a message that is not sent, because only policies in shadow mode need it', { kind: 'NotSent' }, true],
  ['a transfer with an unknown state', undefined, true],
  ['an accepted message', { kind: 'Ended', state: 'Accepted' }, false],
  [SILENCE, { kind: 'Ended', state: 'Cleared' }, false],
  ['a declined message', { kind: 'Ended', state: 'Declined' }, true],
  ['a message that is not valid', { kind: 'Ended', state: 'Invalid' }, true],
  ['a message that the counterparty did not answer in time', { kind: 'Ended', state: 'TimedOut' }, true],
  ['a vendor that could not be reached', { kind: 'Ended', state: 'Failed' }, true],
];

/** An unanswered message clears only if this policy itself sets a time-out for clearing, not if another policy does. */
export const TRAVEL_RULE_CASES: readonly RuleCase[] = ENDS.flatMap(([title, travelRule, triggers]): RuleCase[] =>
  [rule(), rule(30)].map((one, at) => ({
    title: `a travel rule ${at === 0 ? 'that waits' : 'that clears'}: ${title}`,
    rule: one,
    facts: travelRule === undefined ? {} : { travelRule },
    triggers: triggers || (at === 0 && title === SILENCE),
  })),
);
