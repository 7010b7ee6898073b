import fc from 'fast-check';
import { IncomingRule, SignRule } from '../../../../api/policies/policies/rule-schemas';
import { RULE_KINDS, RULES } from '../../../../policy/rules';
import { SOME_RULES } from '../../../policy/arbitrary';

const SCHEMAS = { 'Wallets:Sign': SignRule, 'Wallets:IncomingTransaction': IncomingRule };

test.each(RULE_KINDS)('%s is valid only in a policy on the activity to which the rule applies', (kind) => {
  const { activity } = RULES[kind];
  const [rule] = fc.sample<unknown>(SOME_RULES[kind], { numRuns: 1, seed: 1 });
  const accepted = Object.entries(SCHEMAS).flatMap(([name, schema]) => (schema.safeParse(rule).success ? [name] : []));
  expect(accepted).toEqual([activity]);
});
