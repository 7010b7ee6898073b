import type { Rule } from '../../../domain/policies';
import type { Facts } from '../../../policy/types';

/** One rule, one activity, and whether the rule triggers. Facts that are not given are the facts of an ordinary transfer. */
export type RuleCase = {
  readonly title: string;
  readonly rule: Rule;
  readonly facts: Partial<Facts>;
  readonly triggers: boolean;
};

export const WALLET = 'wa-00000-00000-0000000000000001';
export const OTHER_WALLET = 'wa-00000-00000-0000000000000002';
export const THIRD_WALLET = 'wa-00000-00000-0000000000000003';

export const wallet = (walletId: string, ...walletTags: readonly string[]) => ({ walletId, walletTags });

/** Every combination of yes and no for this number of questions. */
export function everyAnswer(count: number): boolean[][] {
  return Array.from({ length: 2 ** count }, (_, at) => Array.from({ length: count }, (_unused, bit) => ((at >> bit) & 1) === 1));
}
