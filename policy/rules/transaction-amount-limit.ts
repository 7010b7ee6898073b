import { MICRO_PER_UNIT, wholeMicro } from '../../domain/amounts';
import type { Rule } from '../../domain/policies';
import type { Facts, RuleOutcome } from '../types';

type TransactionAmountLimit = Extract<Rule, { kind: 'TransactionAmountLimit' }>;

/** Triggers above the limit, not at it. A value that nobody can tell is above every limit. */
export function transactionAmountLimit({ configuration }: TransactionAmountLimit, facts: Facts): RuleOutcome {
  const { limit, currency } = configuration;
  if (facts.amountUsdMicro === null) return { triggered: true, reason: 'The value of the transaction is not known' };
  return wholeMicro(facts.amountUsdMicro) > BigInt(limit) * MICRO_PER_UNIT
    ? { triggered: true, reason: `The value of the transaction is above the limit of ${limit} ${currency}` }
    : { triggered: false, reason: `The value of the transaction is within the limit of ${limit} ${currency}` };
}
