import type { RuleKind } from '../domain/policies';
import { alwaysTrigger } from './rules/always-trigger';
import { kytAPrescreening, kytAScreening } from './rules/kyt-a';
import { kytBPrescreening } from './rules/kyt-b';
import type { PolicyRule, RuleNeeds, RuleOf } from './rules/rule';
import { transactionAmountLimit } from './rules/transaction-amount-limit';
import { transactionAmountVelocity } from './rules/transaction-amount-velocity';
import { transactionCountVelocity } from './rules/transaction-count-velocity';
import { transactionRecipientWhitelist } from './rules/transaction-recipient-whitelist';
import { travelRulePrescreening } from './rules/travel-rule';
import type { ChangeFacts, Facts, RuleOutcome } from './types';

type EveryRule = { readonly [K in RuleKind]: PolicyRule<RuleOf<K>> };

/** The OpenAPI document lists the rules in this order. */
export const RULES = {
  AlwaysTrigger: alwaysTrigger,
  TransactionAmountLimit: transactionAmountLimit,
  TransactionAmountVelocity: transactionAmountVelocity,
  TransactionCountVelocity: transactionCountVelocity,
  TransactionRecipientWhitelist: transactionRecipientWhitelist,
  KytATransactionPrescreening: kytAPrescreening,
  KytATransactionScreening: kytAScreening,
  KytBTransactionPrescreening: kytBPrescreening,
  TravelRuleTransactionPrescreening: travelRulePrescreening,
} as const satisfies EveryRule;

export const RULE_KINDS = Object.keys(RULES) as RuleKind[];

// The type `EveryRule` pairs each rule with the judge of its kind.
const EVERY: EveryRule = RULES;
type Of<K extends RuleKind> = RuleOf<K> & { readonly kind: K };

export const needsOfRule = <K extends RuleKind>(rule: Of<K>): RuleNeeds => EVERY[rule.kind].needs(rule);

export function judgeByRule<K extends RuleKind>(rule: Of<K>, facts: Facts | ChangeFacts): RuleOutcome {
  const { judge, judgeChange }: PolicyRule<RuleOf<K>> = EVERY[rule.kind];
  if ('walletId' in facts) return judge(rule, facts);
  // A rule without `judgeChange` cannot tell whether a change is harmless, so the rule triggers.
  return judgeChange?.() ?? { triggered: true, reason: 'This rule cannot judge a change' };
}
