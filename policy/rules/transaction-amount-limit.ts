import { MICRO_PER_UNIT, wholeMicro } from '../../domain/amounts';
import type { Facts, RuleOutcome } from '../types';
import { stops } from './parts/actions';
import { amount, once } from './parts/members';
import { needsNothing, type PolicyRule, type RuleOf } from './rule';

type TransactionAmountLimit = RuleOf<'TransactionAmountLimit'>;

/** A value equal to the limit does not trigger. An unknown value triggers. */
function judge({ configuration }: TransactionAmountLimit, facts: Facts): RuleOutcome {
  const { limit, currency } = configuration;
  if (facts.amountUsdMicro === null) return { triggered: true, reason: 'The value of the transaction is not known' };
  return wholeMicro(facts.amountUsdMicro) > BigInt(limit) * MICRO_PER_UNIT
    ? { triggered: true, reason: `The value of the transaction is above the limit of ${limit} ${currency}` }
    : { triggered: false, reason: `The value of the transaction is within the limit of ${limit} ${currency}` };
}

export const transactionAmountLimit = {
  schema: once((z) =>
    z.strictObject({ kind: z.literal('TransactionAmountLimit'), configuration: z.strictObject(amount(z)) }).meta({
      id: 'PolicyRuleTransactionAmountLimit',
      description: 'Triggers if one activity moves more than the limit, or if its value is unknown',
    }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stops,
  judgesFees: true,
  needs: needsNothing,
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<TransactionAmountLimit>;
