import type { RuleOutcome } from '../types';
import { stops } from './parts/actions';
import { once } from './parts/members';
import { needsNothing, type PolicyRule, type RuleOf } from './rule';

const triggers = (): RuleOutcome => ({ triggered: true, reason: 'This policy triggers on every activity' });

export const alwaysTrigger = {
  schema: once((z) =>
    z
      .strictObject({ kind: z.literal('AlwaysTrigger'), configuration: z.strictObject({}).exactOptional() })
      .meta({ id: 'PolicyRuleAlwaysTrigger', description: 'Triggers on every activity that the filters match' }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stops,
  judgesFees: true,
  needs: needsNothing,
  judge: triggers,
  judgeChange: triggers,
} as const satisfies PolicyRule<RuleOf<'AlwaysTrigger'>>;
