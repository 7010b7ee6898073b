import type { z } from 'zod';
import type { Action, Rule, RuleKind, WalletActivityKind } from '../../domain/policies';
import type { ScreeningVendor } from '../../domain/screenings';
import type { TravelRuleConfiguration } from '../../domain/travel-rules';
import type { Facts, RuleOutcome } from '../types';

export type RuleOf<K extends RuleKind> = Extract<Rule, { kind: K }>;

/** What has to be known of an activity before one rule can judge it; what is absent is not asked for. */
export type RuleNeeds = {
  /** The window of a velocity rule, in minutes. */
  readonly timeframe?: number;
  readonly screening?: ScreeningVendor;
  /** How the vendor is to know the user. */
  readonly userIdTemplate?: string | undefined;
  readonly travelRule?: TravelRuleConfiguration;
  readonly registryAddressIds?: readonly string[] | undefined;
};

/** Everything about one kind of rule. */
export type PolicyRule<R extends Rule = Rule> = {
  /** The rule as callers write it. The package comes as an argument, because this folder imports none. */
  readonly schema: (zod: typeof z) => z.ZodType<R>;
  /** The activity about value that it judges. */
  readonly activity: WalletActivityKind;
  /** What is wrong with an action beside this rule; undefined where nothing is. */
  readonly actionFault: (action: Action['kind'], rule: RuleKind) => string | undefined;
  /** True where it judges the fee that a sponsor pays too: a fee has an amount and no recipient. */
  readonly judgesFees: boolean;
  readonly needs: (rule: R) => RuleNeeds;
  readonly judge: (rule: R, facts: Facts) => RuleOutcome;
  /** Null where a change of permissions, policies or the like is nothing that it could judge. */
  readonly judgeChange: (() => RuleOutcome) | null;
};

export const needsNothing = (): RuleNeeds => ({});
