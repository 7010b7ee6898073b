import { MICRO_PER_UNIT, wholeMicro } from '../../domain/amounts';
import type { Rule } from '../../domain/policies';
import type { Facts, RuleOutcome } from '../types';
import { usedMost } from '../usage';

type TransactionAmountVelocity = Extract<Rule, { kind: 'TransactionAmountVelocity' }>;

/** Triggers when one wallet has moved more than the limit within the window, this activity included. What is not known is above it. */
export function transactionAmountVelocity({ configuration }: TransactionAmountVelocity, facts: Facts): RuleOutcome {
  const { limit, currency, timeframe } = configuration;
  const used = usedMost(facts, timeframe, ({ amountUsdMicro }) => (amountUsdMicro === null ? null : wholeMicro(amountUsdMicro)));
  if (used === null) return { triggered: true, reason: `The value moved within ${timeframe} minutes is not known` };
  return used > BigInt(limit) * MICRO_PER_UNIT
    ? { triggered: true, reason: `The value moved within ${timeframe} minutes is above the limit of ${limit} ${currency}` }
    : { triggered: false, reason: `The value moved within ${timeframe} minutes is within the limit of ${limit} ${currency}` };
}
