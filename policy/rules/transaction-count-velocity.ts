import type { Rule } from '../../domain/policies';
import type { Facts, RuleOutcome } from '../types';
import { usedMost } from '../usage';

type TransactionCountVelocity = Extract<Rule, { kind: 'TransactionCountVelocity' }>;

/** Triggers when one wallet has had more activities than the limit within the window, this one included. */
export function transactionCountVelocity({ configuration }: TransactionCountVelocity, facts: Facts): RuleOutcome {
  const { limit, timeframe } = configuration;
  const used = usedMost(facts, timeframe, ({ count }) => BigInt(count));
  if (used === null) return { triggered: true, reason: `The number of activities within ${timeframe} minutes is not known` };
  return used > BigInt(limit)
    ? { triggered: true, reason: `${used} activities within ${timeframe} minutes are above the limit of ${limit}` }
    : { triggered: false, reason: `${used} activities within ${timeframe} minutes are within the limit of ${limit}` };
}
