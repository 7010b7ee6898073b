import { MICRO_PER_UNIT, wholeMicro } from '../../domain/amounts';
import type { Facts, RuleOutcome } from '../types';
import { usedMost } from '../usage';
import { stops } from './parts/actions';
import { amount, once, timeframe } from './parts/members';
import type { PolicyRule, RuleOf } from './rule';

type TransactionAmountVelocity = RuleOf<'TransactionAmountVelocity'>;

/** The window includes this activity. An unknown value is treated as above the limit. */
function judge({ configuration }: TransactionAmountVelocity, facts: Facts): RuleOutcome {
  const { limit, currency, timeframe } = configuration;
  const used = usedMost(facts, timeframe, ({ amountUsdMicro }) => (amountUsdMicro === null ? null : wholeMicro(amountUsdMicro)));
  if (used === null) return { triggered: true, reason: `The value moved within ${timeframe} minutes is not known` };
  return used > BigInt(limit) * MICRO_PER_UNIT
    ? { triggered: true, reason: `The value moved within ${timeframe} minutes is above the limit of ${limit} ${currency}` }
    : { triggered: false, reason: `The value moved within ${timeframe} minutes is within the limit of ${limit} ${currency}` };
}

export const transactionAmountVelocity = {
  schema: once((z) =>
    z
      .strictObject({
        kind: z.literal('TransactionAmountVelocity'),
        configuration: z.strictObject({ ...amount(z), timeframe: timeframe(z) }),
      })
      .meta({
        id: 'PolicyRuleTransactionAmountVelocity',
        description:
          'Triggers if the wallet moves more than the limit within the window, this activity included, or if one of the values is unknown',
      }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stops,
  judgesFees: true,
  needs: ({ configuration: { timeframe } }) => ({ timeframe }),
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<TransactionAmountVelocity>;
