import type { z } from 'zod';
import type { Action, Rule, RuleKind, WalletActivityKind } from '../../domain/policies';
import type { ScreeningVendor } from '../../domain/screenings';
import type { TravelRuleConfiguration } from '../../domain/travel-rules';
import type { Facts, RuleOutcome } from '../types';

export type RuleOf<K extends RuleKind> = Extract<Rule, { kind: K }>;

export type RuleNeeds = {
  /** The window of a velocity rule, in minutes. */
  readonly timeframe?: number;
  readonly screening?: ScreeningVendor;
  /** The template of the user id that the vendor receives. */
  readonly userIdTemplate?: string | undefined;
  readonly travelRule?: TravelRuleConfiguration;
  readonly registryAddressIds?: readonly string[] | undefined;
};

export type PolicyRule<R extends Rule = Rule> = {
  /** The form in which callers write the rule. Zod is passed in, because this folder imports no packages. */
  readonly schema: (zod: typeof z) => z.ZodType<R>;
  readonly activity: WalletActivityKind;
  /** Why the rule and this action cannot be combined. Undefined if they can. */
  readonly actionFault: (action: Action['kind'], rule: RuleKind) => string | undefined;
  /** Whether the rule also judges a fee that a sponsor pays. A fee has an amount but no recipient. */
  readonly judgesFees: boolean;
  readonly needs: (rule: R) => RuleNeeds;
  readonly judge: (rule: R, facts: Facts) => RuleOutcome;
  /** Null if the rule cannot judge changes, such as changes of permissions or policies. */
  readonly judgeChange: (() => RuleOutcome) | null;
};

export const needsNothing = (): RuleNeeds => ({});
