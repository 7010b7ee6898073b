import { z } from 'zod';
import { invariant } from '../../../domain/errors';
import { RULES } from '../../../policy/rules';

type EveryRule = (typeof RULES)[keyof typeof RULES];
type RuleOnSigning = Extract<EveryRule, { activity: 'Wallets:Sign' }>;

const isOnSigning = (rule: EveryRule): rule is RuleOnSigning => rule.activity === 'Wallets:Sign';

const [first, ...others] = Object.values<EveryRule>(RULES)
  .filter(isOnSigning)
  .map((rule) => rule.schema(z));
invariant(first, 'some rule judges what is signed');

/** Rules of activities that sign with a wallet. */
export const SignRule = z.discriminatedUnion('kind', [first, ...others]);
export const IncomingRule = RULES.KytATransactionScreening.schema(z);
export const AlwaysTrigger = RULES.AlwaysTrigger.schema(z);
