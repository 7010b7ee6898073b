import type { TravelRuleEnd } from '../../domain/travel-rules';
import type { Facts, RuleOutcome } from '../types';
import { blocks } from './parts/actions';
import { once } from './parts/members';
import type { PolicyRule, RuleOf } from './rule';

/** A year. */
const SECONDS_MAX = 31_536_000;

type TravelRule = RuleOf<'TravelRuleTransactionPrescreening'>;

const ENDS: Readonly<Record<TravelRuleEnd, RuleOutcome>> = {
  Accepted: { triggered: false, reason: 'The travel rule message was accepted' },
  Cleared: { triggered: false, reason: 'The travel rule message was delivered, and silence clears it' },
  Declined: { triggered: true, reason: 'The travel rule message was declined' },
  Invalid: { triggered: true, reason: 'The travel rule message is not valid' },
  TimedOut: { triggered: true, reason: 'The travel rule message was not answered in time' },
  Failed: { triggered: true, reason: 'The travel rule vendor could not be asked' },
};

/**
 * Triggers on a transfer unless its travel rule message was accepted or cleared. Silence after the delivery clears a message
 * only for a policy with `autoClearAfterDeliveredTimeoutSeconds`.
 */
function judge({ configuration }: TravelRule, { travelRule: standing = { kind: 'NotCarried' } }: Facts): RuleOutcome {
  switch (standing.kind) {
    case 'NotApplicable':
      return { triggered: false, reason: 'The travel rule applies only to transfers' };
    case 'NotCarried':
      return { triggered: true, reason: 'The transfer carries no travel rule information' };
    case 'NotSent':
      return { triggered: true, reason: 'The travel rule message is not sent if only policies in Shadow ask for it' };
    case 'Ended':
      // Silence may have cleared the message for another policy. A policy that does not accept silence triggers nevertheless
      // (S9).
      return standing.state === 'Cleared' && configuration.autoClearAfterDeliveredTimeoutSeconds === undefined
        ? { triggered: true, reason: 'The travel rule message was not answered, and silence does not clear it here' }
        : ENDS[standing.state];
  }
}

export const travelRulePrescreening = {
  schema: once((z) =>
    z
      .strictObject({
        kind: z.literal('TravelRuleTransactionPrescreening'),
        configuration: z.strictObject({
          vendor: z.literal('TravelRuleVendor'),
          autoTriggerTimeoutSeconds: z
            .int()
            .min(1)
            .max(SECONDS_MAX)
            .describe('Seconds, at most a year, that the message may go without an answer; afterwards the rule triggers'),
          autoClearAfterDeliveredTimeoutSeconds: z
            .int()
            .min(1)
            .max(SECONDS_MAX)
            .exactOptional()
            .describe(
              'Seconds of silence after the delivery that let the transfer pass, at most a year; if absent, silence triggers',
            ),
        }),
      })
      .meta({
        id: 'PolicyRuleTravelRuleTransactionPrescreening',
        description:
          'Triggers on a transfer without `travelRule`, or whose message was declined, invalid or not answered in time, or could ' +
          'not be sent. Every other activity passes. The only action of this rule is `Block`',
      }),
  ),
  activity: 'Wallets:Sign',
  actionFault: blocks,
  judgesFees: false,
  needs: ({ configuration }) => ({ travelRule: configuration }),
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<TravelRule>;
