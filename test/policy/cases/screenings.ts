import type { Rule } from '../../../domain/policies';
import {
  ALERT_LEVELS,
  type AlertLevel,
  type KytAConfiguration,
  type KytAFindings,
  type NotScreened,
  type Screening,
} from '../../../domain/screenings';
import { everyAnswer, type RuleCase } from './case';

const CLOSED = { skipUnscreenableTransaction: false, skipUnsupportedNetwork: false, skipUnsupportedAsset: false };
/** No finding below has this category, so a part of the rule with only this category never triggers. */
const NOTHING = { categoryIds: [999] };

type Part = 'alerts' | 'exposures' | 'addresses';
const configurationOf = (part: Part, categoryIds: readonly number[], alertLevel: AlertLevel = 'LOW'): KytAConfiguration => ({
  alerts: { alertLevel, ...(part === 'alerts' ? { categoryIds } : NOTHING) },
  exposures: { direct: part === 'exposures' ? { categoryIds } : NOTHING },
  addresses: part === 'addresses' ? { categoryIds } : NOTHING,
  fallbackBehaviours: { ...CLOSED, skipKytAFailure: false },
});

const outgoing = (configuration: KytAConfiguration): Rule => ({ kind: 'KytATransactionPrescreening', configuration });
const incoming = ({ addresses: _outgoingOnly, ...configuration }: KytAConfiguration): Rule => ({
  kind: 'KytATransactionScreening',
  configuration,
});

const findings = (set: Partial<KytAFindings> = {}): KytAFindings => ({
  kind: 'Screened',
  alerts: [],
  directExposures: [],
  addresses: [],
  ...set,
});
const byKytA = (result: KytAFindings | NotScreened): { screenings: Screening[] } => ({
  screenings: [{ vendor: 'KytA', result }],
});
const byKytB = (result: { kind: 'Screened'; riskScore: number } | NotScreened): { screenings: Screening[] } => ({
  screenings: [{ vendor: 'KytB', result }],
});

/** The row is the configured level; the column is the found level. */
const REACHES: Readonly<Record<AlertLevel, readonly [boolean, boolean, boolean, boolean]>> = {
  LOW: [true, true, true, true],
  MEDIUM: [false, true, true, true],
  HIGH: [false, false, true, true],
  SEVERE: [false, false, false, true],
};
const LEVEL_CASES: readonly RuleCase[] = ALERT_LEVELS.flatMap((configured) =>
  ALERT_LEVELS.map((level, at) => ({
    title: `KytA: an alert of ${level} with ${configured} as the configured level`,
    rule: outgoing(configurationOf('alerts', [], configured)),
    facts: byKytA(findings({ alerts: [{ level, categoryId: 1 }] })),
    triggers: REACHES[configured][at] ?? true,
  })),
);

const CATEGORIES: readonly (readonly [configured: readonly number[], found: number | null, triggers: boolean])[] = [
  [[], 3, true],
  [[], null, true],
  [[3], 3, true],
  [[3], 4, false],
  [[3], null, false],
  [[4, 3], 3, true],
  [[4, 3], 5, false],
  [[33], 3, false],
];
const FOUND: Readonly<Record<Part, (categoryId: number | null) => Partial<KytAFindings>>> = {
  alerts: (categoryId) => ({ alerts: [{ level: 'HIGH', categoryId }] }),
  exposures: (categoryId) => ({ directExposures: [{ categoryId }] }),
  addresses: (categoryId) => ({ addresses: [{ categoryId }] }),
};
const CATEGORY_CASES: readonly RuleCase[] = (['alerts', 'exposures', 'addresses'] as const).flatMap((part) =>
  CATEGORIES.flatMap(([configured, found, triggers]): RuleCase[] => {
    const configuration = configurationOf(part, configured);
    const facts = byKytA(findings(FOUND[part](found)));
    const title = `KytA: ${part} of category ${found ?? 'unknown'} with [${configured}] as the configured categories`;
    return [
      { title, rule: outgoing(configuration), facts, triggers },
      // Identified addresses are ignored for an incoming transaction.
      { title: `${title}, incoming`, rule: incoming(configuration), facts, triggers: triggers && part !== 'addresses' },
    ];
  }),
);

const MIXED_CASES: readonly RuleCase[] = (
  [
    ['nothing found', {}, false],
    [
      'the level in another category and the category at another level',
      {
        alerts: [
          { level: 'SEVERE', categoryId: 4 },
          { level: 'LOW', categoryId: 3 },
        ],
      },
      false,
    ],
    [
      'the second of two alerts',
      {
        alerts: [
          { level: 'LOW', categoryId: 3 },
          { level: 'HIGH', categoryId: 3 },
        ],
      },
      true,
    ],
    ['an exposure alone', { directExposures: [{ categoryId: 3 }] }, false],
  ] as const
).map(([title, set, triggers]) => ({
  title: `KytA: ${title}`,
  rule: outgoing(configurationOf('alerts', [3], 'HIGH')),
  facts: byKytA(findings(set)),
  triggers,
}));

/** The results without a finding. `FALLBACK_CASES` lists one option for each of these results, in the same order. */
const CASES: readonly NotScreened[] = [
  { kind: 'Unscreenable' },
  { kind: 'UnsupportedNetwork' },
  { kind: 'UnsupportedAsset' },
  { kind: 'VendorFailed', failure: 'Timeout' },
];
const FALLBACK_CASES: readonly RuleCase[] = everyAnswer(CASES.length).flatMap((answers): RuleCase[] => {
  const [skipUnscreenableTransaction = false, skipUnsupportedNetwork = false, skipUnsupportedAsset = false, failure = false] =
    answers;
  const skips = { skipUnscreenableTransaction, skipUnsupportedNetwork, skipUnsupportedAsset };
  const kytA = outgoing({ ...configurationOf('alerts', []), fallbackBehaviours: { ...skips, skipKytAFailure: failure } });
  const kytB: Rule = {
    kind: 'KytBTransactionPrescreening',
    configuration: { riskScoreThreshold: 0, fallbackBehaviours: { ...skips, skipKytBFailure: failure } },
  };
  const words = answers.map((answer) => (answer ? 'skip' : 'trigger')).join(', ');
  return [
    ...CASES.flatMap((result, at): RuleCase[] => [
      { title: `KytA: ${result.kind} under ${words}`, rule: kytA, facts: byKytA(result), triggers: answers[at] === false },
      { title: `KytB: ${result.kind} under ${words}`, rule: kytB, facts: byKytB(result), triggers: answers[at] === false },
    ]),
    { title: `KytA: no vendor was asked, under ${words}`, rule: kytA, facts: {}, triggers: !failure },
    { title: `KytB: no vendor was asked, under ${words}`, rule: kytB, facts: { screenings: [] }, triggers: !failure },
  ];
});

const score = (riskScoreThreshold: number): Rule => ({
  kind: 'KytBTransactionPrescreening',
  configuration: { riskScoreThreshold, fallbackBehaviours: { ...CLOSED, skipKytBFailure: false } },
});
const SCORE_CASES: readonly RuleCase[] = (
  [
    [0, 0, true],
    [0, 100, true],
    [1, 0, false],
    [1, 1, true],
    [60, 0, false],
    [60, 59, false],
    [60, 59.999, false],
    [60, 60, true],
    [60, 61, true],
    [60, 100, true],
    [100, 99, false],
    [100, 100, true],
    [60, Number.NaN, true],
  ] as const
).map(([threshold, riskScore, triggers]) => ({
  title: `KytB: a score of ${riskScore} where ${threshold} is the threshold`,
  rule: score(threshold),
  facts: byKytB({ kind: 'Screened', riskScore }),
  triggers,
}));

/** The rule for one vendor ignores a finding of the other vendor. */
const OTHER_VENDOR_CASES: readonly RuleCase[] = [
  {
    title: 'KytA: only KytB answered',
    rule: outgoing(configurationOf('alerts', [])),
    facts: byKytB({ kind: 'Screened', riskScore: 0 }),
    triggers: true,
  },
  { title: 'KytB: only KytA answered', rule: score(100), facts: byKytA(findings()), triggers: true },
  {
    title: 'KytB: both answered',
    rule: score(100),
    facts: {
      screenings: [...byKytA({ kind: 'Unscreenable' }).screenings, ...byKytB({ kind: 'Screened', riskScore: 99 }).screenings],
    },
    triggers: false,
  },
];

export const SCREENING_CASES: readonly RuleCase[] = [
  ...LEVEL_CASES,
  ...CATEGORY_CASES,
  ...MIXED_CASES,
  ...FALLBACK_CASES,
  ...SCORE_CASES,
  ...OTHER_VENDOR_CASES,
];
