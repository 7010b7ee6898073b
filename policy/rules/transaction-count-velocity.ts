import type { Facts, RuleOutcome } from '../types';
import { usedMost } from '../usage';
import { stops } from './parts/actions';
import { once, timeframe } from './parts/members';
import type { PolicyRule, RuleOf } from './rule';

type TransactionCountVelocity = RuleOf<'TransactionCountVelocity'>;

/** The window includes this activity. */
function judge({ configuration }: TransactionCountVelocity, facts: Facts): RuleOutcome {
  const { limit, timeframe } = configuration;
  const used = usedMost(facts, timeframe, ({ count }) => BigInt(count));
  if (used === null) return { triggered: true, reason: `The number of activities within ${timeframe} minutes is not known` };
  const counted = used === 1n ? '1 activity' : `${used} activities`;
  return used > BigInt(limit)
    ? { triggered: true, reason: `${counted} within ${timeframe} minutes, above the limit of ${limit}` }
    : { triggered: false, reason: `${counted} within ${timeframe} minutes, within the limit of ${limit}` };
}

export const transactionCountVelocity = {
  schema: once((z) =>
    z
      .strictObject({
        kind: z.literal('TransactionCountVelocity'),
        configuration: z.strictObject({
          limit: z.int().positive().describe('Number of activities; exactly this number does not trigger'),
          timeframe: timeframe(z),
        }),
      })
      .meta({
        id: 'PolicyRuleTransactionCountVelocity',
        description: 'Triggers if the wallet has more activities than the limit within the window, this one included',
      }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stops,
  judgesFees: true,
  needs: ({ configuration: { timeframe } }) => ({ timeframe }),
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<TransactionCountVelocity>;
