import type { PolicyInForce } from '../domain/policies';
import type { ScreeningVendor } from '../domain/screenings';
import { strictestTimes, type TravelRuleTimes } from '../domain/travel-rules';
import { needsOfRule } from './rules';

/** The facts that the applicable policies need. Other facts are not gathered. */
export type Needs = {
  /** The windows of velocity rules, in minutes. */
  readonly timeframes: readonly number[];
  readonly screenings: readonly ScreeningVendor[];
  /** The template of the first policy that contains a template. */
  readonly userIdTemplate?: string;
  readonly travelRule: boolean;
  /** Null if no enforced policy uses the travel rule. No message is sent in that case. */
  readonly travelRuleTimes: TravelRuleTimes | null;
  readonly registryAddressIds: readonly string[];
};

export function needsOf(policies: readonly PolicyInForce[]): Needs {
  const needs = policies.map(({ rule, mode }) => ({ mode, ...needsOfRule(rule) }));
  const [userIdTemplate] = needs.flatMap((one) => one.userIdTemplate ?? []);
  return {
    timeframes: unique(needs.flatMap(({ timeframe }) => timeframe ?? [])),
    screenings: unique(needs.flatMap(({ screening }) => screening ?? [])),
    ...(userIdTemplate === undefined ? {} : { userIdTemplate }),
    travelRule: needs.some(({ travelRule }) => travelRule !== undefined),
    travelRuleTimes: strictestTimes(needs.flatMap(({ mode, travelRule }) => (mode === 'Enforce' ? (travelRule ?? []) : []))),
    registryAddressIds: unique(needs.flatMap(({ registryAddressIds }) => registryAddressIds ?? [])),
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
