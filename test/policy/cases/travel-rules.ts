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

const SILENCE = 'a message that silence cleared';
const ENDS: readonly (readonly [title: string, standing: TravelRuleStanding | undefined, triggers: boolean])[] = [
  ['an activity that is no transfer', { kind: 'NotApplicable' }, false],
  ['a transfer without a message', { kind: 'NotCarried' }, true],
  ['a message that is not sent for a policy in shadow alone', { kind: 'NotSent' }, true],
  ['a transfer of which nobody knows', undefined, true],
  ['an accepted message', { kind: 'Ended', state: 'Accepted' }, false],
  [SILENCE, { kind: 'Ended', state: 'Cleared' }, false],
  ['a declined message', { kind: 'Ended', state: 'Declined' }, true],
  ['a message that is not valid', { kind: 'Ended', state: 'Invalid' }, true],
  ['a message that nobody answered in time', { kind: 'Ended', state: 'TimedOut' }, true],
  ['a vendor that could not be asked', { kind: 'Ended', state: 'Failed' }, true],
];

/** Silence clears only if the policy itself sets a time for silence, and not because another policy sets one. */
export const TRAVEL_RULE_CASES: readonly RuleCase[] = ENDS.flatMap(([title, travelRule, triggers]): RuleCase[] =>
  [rule(), rule(30)].map((one, at) => ({
    title: `a travel rule ${at === 0 ? 'that waits' : 'that clears'}: ${title}`,
    rule: one,
    facts: travelRule === undefined ? {} : { travelRule },
    triggers: triggers || (at === 0 && title === SILENCE),
  })),
);
