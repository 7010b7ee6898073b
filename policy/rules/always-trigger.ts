import type { RuleOutcome } from '../types';

export function alwaysTrigger(): RuleOutcome {
  return { triggered: true, reason: 'This policy triggers on every activity' };
}
