import type { PolicyInForce, Rule } from '../domain/policies';
import type { ScreeningVendor } from '../domain/screenings';
import { strictestTimes, type TravelRuleTimes } from '../domain/travel-rules';

/** What has to be known of an activity before the policies that apply to it can judge it; nothing else is asked for. */
export type Needs = {
  /** The windows of velocity rules, in minutes. */
  readonly timeframes: readonly number[];
  readonly screenings: readonly ScreeningVendor[];
  /** How `KytA` is to know the user, as the first policy that says so has it. */
  readonly userIdTemplate?: string;
  readonly travelRule: boolean;
  /** How long the answer may take; null where nobody who enforces asks for it, and then nothing is sent. */
  readonly travelRuleTimes: TravelRuleTimes | null;
  readonly registryAddressIds: readonly string[];
};

const VENDOR_OF: Partial<Readonly<Record<Rule['kind'], ScreeningVendor>>> = {
  KytATransactionPrescreening: 'KytA',
  KytATransactionScreening: 'KytA',
  KytBTransactionPrescreening: 'KytB',
};

/** What these policies look at; equal needs of several are asked for once. */
export function needsOf(policies: readonly PolicyInForce[]): Needs {
  const rules = policies.map(({ rule }) => rule);
  const [userIdTemplate] = rules.flatMap(templateOf);
  return {
    timeframes: unique(rules.flatMap((rule) => (isVelocity(rule) ? [rule.configuration.timeframe] : []))),
    screenings: unique(rules.flatMap(({ kind }) => VENDOR_OF[kind] ?? [])),
    ...(userIdTemplate === undefined ? {} : { userIdTemplate }),
    travelRule: rules.some(({ kind }) => kind === 'TravelRuleTransactionPrescreening'),
    travelRuleTimes: strictestTimes(policies.flatMap(enforcedTravelRule)),
    registryAddressIds: unique(
      rules.flatMap((rule) =>
        rule.kind === 'TransactionRecipientWhitelist' ? (rule.configuration.registryAddressIds ?? []) : [],
      ),
    ),
  };
}

const enforcedTravelRule = ({ mode, rule }: PolicyInForce) =>
  mode === 'Enforce' && rule.kind === 'TravelRuleTransactionPrescreening' ? [rule.configuration] : [];

type Velocity = Extract<Rule, { kind: 'TransactionAmountVelocity' | 'TransactionCountVelocity' }>;
const isVelocity = (rule: Rule): rule is Velocity =>
  rule.kind === 'TransactionAmountVelocity' || rule.kind === 'TransactionCountVelocity';

const templateOf = (rule: Rule): string[] =>
  rule.kind === 'KytATransactionPrescreening' || rule.kind === 'KytATransactionScreening'
    ? [rule.configuration.userIdTemplate ?? []].flat()
    : [];

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
