import type { RuleOutcome } from '../types';
import { stops } from './parts/actions';
import { needsNothing, type PolicyRule, type RuleOf } from './rule';

const triggers = (): RuleOutcome => ({ triggered: true, reason: 'This policy triggers on every activity' });

export const alwaysTrigger = {
  schema: (z) => z.strictObject({ kind: z.literal('AlwaysTrigger'), configuration: z.strictObject({}).exactOptional() }),
  activity: 'Wallets:Sign',
  actionFault: stops,
  judgesFees: true,
  needs: needsNothing,
  judge: triggers,
  judgeChange: triggers,
} as const satisfies PolicyRule<RuleOf<'AlwaysTrigger'>>;
