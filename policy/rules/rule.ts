import type { z } from 'zod';
import type { Action, Rule, RuleKind, WalletActivityKind } from '../../domain/policies';
import type { ScreeningVendor } from '../../domain/screenings';
import type { TravelRuleConfiguration } from '../../domain/travel-rules';
import type { Facts, RuleOutcome } from '../types';

export type RuleOf<K extends RuleKind> = Extract<Rule, { kind: K }>;

/** The facts that one rule needs before it can judge an activity; absent ones are not gathered. */
export type RuleNeeds = {
  /** The window of a velocity rule, in minutes. */
  readonly timeframe?: number;
  readonly screening?: ScreeningVendor;
  /** The template for the vendor's id of the user. */
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
  /** The fault of an action in combination with this rule; undefined if there is none. */
  readonly actionFault: (action: Action['kind'], rule: RuleKind) => string | undefined;
  /** True if it also judges the fee that a sponsor pays: a fee has an amount and no recipient. */
  readonly judgesFees: boolean;
  readonly needs: (rule: R) => RuleNeeds;
  readonly judge: (rule: R, facts: Facts) => RuleOutcome;
  /** Null if it cannot judge a change of permissions, policies or the like. */
  readonly judgeChange: (() => RuleOutcome) | null;
};

export const needsNothing = (): RuleNeeds => ({});
