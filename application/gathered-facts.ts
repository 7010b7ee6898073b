import type { Ask } from '../domain/judgements';
import type { Tx } from '../entities/database';
import type { Needs } from '../policy/needs';
import type { Facts, Subject } from '../policy/types';
import type { WalletSign } from './evaluate-activity';
import { travelRuleOf } from './travel-rule-messages';

/** What was found out for the policies that apply, and what has to be asked of vendors before they can judge. */
export type Gathered = {
  readonly facts: Pick<Facts, 'usage' | 'screenings' | 'travelRule' | 'registryAddresses'>;
  readonly asks: readonly Ask[];
};

/** Gathers what these policies look at and nothing else. What is not found out stays absent, which rules take for unknown. */
export async function gather(tx: Tx, input: WalletSign, _subject: Subject, needs: Needs): Promise<Gathered> {
  const travelRule = await travelRuleOf(tx, input, needs);
  return {
    facts: { ...(travelRule.standing ? { travelRule: travelRule.standing } : {}) },
    asks: [...travelRule.asks],
  };
}
