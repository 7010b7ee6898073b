import type { Facts, RuleOutcome } from '../types';
import { stopsOrReports } from './parts/actions';
import { fallbacks, once } from './parts/members';
import { notScreened } from './parts/not-screened';
import type { PolicyRule, RuleOf } from './rule';

const RISK_SCORE_MAX = 100;

type KytB = RuleOf<'KytBTransactionPrescreening'>;

function judge({ configuration }: KytB, { screenings = [] }: Facts): RuleOutcome {
  const result = screenings.find((one) => one.vendor === 'KytB')?.result ?? { kind: 'VendorFailed', failure: 'no answer' };
  if (result.kind !== 'Screened') {
    const { skipKytBFailure: skipVendorFailure, ...fallbacks } = configuration.fallbackBehaviours;
    return notScreened(result, { ...fallbacks, skipVendorFailure });
  }
  const { riskScoreThreshold } = configuration;
  // The comparison is written so that NaN triggers.
  return result.riskScore < riskScoreThreshold
    ? { triggered: false, reason: `The risk score ${result.riskScore} is below the threshold of ${riskScoreThreshold}` }
    : { triggered: true, reason: `The risk score ${result.riskScore} reaches the threshold of ${riskScoreThreshold}` };
}

export const kytBPrescreening = {
  schema: once((z) =>
    z
      .strictObject({
        kind: z.literal('KytBTransactionPrescreening'),
        configuration: z.strictObject({
          riskScoreThreshold: z.int().min(0).max(RISK_SCORE_MAX).describe('The rule triggers at this risk score and above'),
          fallbackBehaviours: z.strictObject({
            ...fallbacks(z),
            skipKytBFailure: z
              .boolean()
              .describe(
                'If true, the rule skips an activity for which the call to the vendor failed; if false, the rule triggers',
              ),
          }),
        }),
      })
      .meta({
        id: 'PolicyRuleKytBTransactionPrescreening',
        description: 'Triggers if the vendor KytB gives the activity a risk score of the threshold or above',
      }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stopsOrReports,
  judgesFees: false,
  needs: () => ({ screening: 'KytB' }),
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<KytB>;
