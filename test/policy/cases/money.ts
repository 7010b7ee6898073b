import type { Rule } from '../../../domain/policies';
import type { WindowUsage } from '../../../policy/types';
import { OTHER_WALLET, type RuleCase, THIRD_WALLET, WALLET, wallet } from './case';

const MAX = Number.MAX_SAFE_INTEGER;
const HOUR = 60;

const amountLimit = (limit: number): Rule => ({ kind: 'TransactionAmountLimit', configuration: { limit, currency: 'USD' } });
const amounts = (limit: number, timeframe = HOUR): Rule => ({
  kind: 'TransactionAmountVelocity',
  configuration: { limit, currency: 'USD', timeframe },
});
const counts = (limit: number, timeframe = HOUR): Rule => ({
  kind: 'TransactionCountVelocity',
  configuration: { limit, timeframe },
});

const LIMIT_CASES: readonly RuleCase[] = (
  [
    [1, '0', false],
    [1, '1', false],
    [1, '999999', false],
    [1, '1000000', false],
    [1, '1000001', true],
    [1, '1999999', true],
    [1, '2000000', true],
    [100, '99999999', false],
    [100, '100000000', false],
    [100, '100000001', true],
    [100, '100000000000', true],
    // As text, 9 comes after 100.
    [100, '9000000', false],
    [MAX, '9007199254740990999999', false],
    [MAX, '9007199254740991000000', false],
    [MAX, '9007199254740991000001', true],
    [MAX, `1${'0'.repeat(77)}`, true],
    [1, null, true],
    [MAX, null, true],
  ] as const
).map(([limit, amountUsdMicro, triggers]) => ({
  title: `a limit of ${limit} USD and ${amountUsdMicro ?? 'an unknown value'} micro-USD`,
  rule: amountLimit(limit),
  facts: { amountUsdMicro },
  triggers,
}));

type Used = readonly [walletId: string, timeframeMinutes: number, count: number, amountUsdMicro: string | null];
const usageOf = (used: readonly Used[]): WindowUsage[] =>
  used.map(([walletId, timeframeMinutes, count, amountUsdMicro]) => ({ walletId, timeframeMinutes, count, amountUsdMicro }));

type Row = readonly [title: string, rule: Rule, used: readonly Used[], triggers: boolean];
const velocity = ([title, rule, used, triggers]: Row): RuleCase => ({ title, rule, facts: { usage: usageOf(used) }, triggers });

const AMOUNT_CASES = (
  [
    ['nothing moved', amounts(5), [[WALLET, HOUR, 1, '0']], false],
    ['a micro-dollar below the limit', amounts(5), [[WALLET, HOUR, 1, '4999999']], false],
    ['exactly the limit', amounts(5), [[WALLET, HOUR, 3, '5000000']], false],
    ['a micro-dollar above the limit', amounts(5), [[WALLET, HOUR, 3, '5000001']], true],
    ['far above the limit', amounts(5), [[WALLET, HOUR, 3, '99000000']], true],
    ['an activity of unknown value in the window', amounts(5), [[WALLET, HOUR, 3, null]], true],
    ['no known usage', amounts(5), [], true],
    ['only the usage of another window is known', amounts(5), [[WALLET, HOUR + 1, 1, '1']], true],
    ['only the usage of another wallet is known', amounts(5), [[OTHER_WALLET, HOUR, 1, '1']], true],
    ['many activities of little value', amounts(5), [[WALLET, HOUR, 1_000_000, '5000000']], false],
    [
      'another wallet far above the limit',
      amounts(5),
      [
        [WALLET, HOUR, 1, '1'],
        [OTHER_WALLET, HOUR, 9, '99000000'],
      ],
      false,
    ],
    [
      'a longer window above the limit, and this window within it',
      amounts(5),
      [
        [WALLET, HOUR, 1, '5000000'],
        [WALLET, 1_440, 9, '99000000'],
      ],
      false,
    ],
    [
      'this window above the limit, and a longer window within it',
      amounts(5),
      [
        [WALLET, 1_440, 1, '1'],
        [WALLET, HOUR, 9, '5000001'],
      ],
      true,
    ],
    ['the shortest window at the limit', amounts(5, 1), [[WALLET, 1, 1, '5000000']], false],
    ['the shortest window above the limit', amounts(5, 1), [[WALLET, 1, 1, '5000001']], true],
    ['the longest window at the limit', amounts(5, 43_200), [[WALLET, 43_200, 1, '5000000']], false],
    ['the longest window above the limit', amounts(5, 43_200), [[WALLET, 43_200, 1, '5000001']], true],
    ['exactly the greatest limit', amounts(MAX), [[WALLET, HOUR, 1, '9007199254740991000000']], false],
    ['a micro-dollar above the greatest limit', amounts(MAX), [[WALLET, HOUR, 1, '9007199254740991000001']], true],
  ] as const satisfies readonly Row[]
).map(velocity);

const COUNT_CASES = (
  [
    ['a first activity under a limit of one', counts(1), [[WALLET, HOUR, 1, '0']], false],
    ['a second activity under a limit of one', counts(1), [[WALLET, HOUR, 2, '0']], true],
    ['one below the limit', counts(10), [[WALLET, HOUR, 9, '0']], false],
    ['exactly the limit', counts(10), [[WALLET, HOUR, 10, '0']], false],
    ['one above the limit', counts(10), [[WALLET, HOUR, 11, '0']], true],
    ['activities of unknown value, which count as one each', counts(10), [[WALLET, HOUR, 10, null]], false],
    ['one activity too many, all of unknown value', counts(10), [[WALLET, HOUR, 11, null]], true],
    ['much value in few activities', counts(10), [[WALLET, HOUR, 1, '99000000000']], false],
    ['no known usage', counts(10), [], true],
    ['only the usage of another window is known', counts(10), [[WALLET, HOUR - 1, 1, '0']], true],
    ['only the usage of another wallet is known', counts(10), [[OTHER_WALLET, HOUR, 1, '0']], true],
    [
      'another wallet far above the limit',
      counts(10),
      [
        [WALLET, HOUR, 1, '0'],
        [OTHER_WALLET, HOUR, 99, '0'],
      ],
      false,
    ],
    [
      'a longer window above the limit, and this window within it',
      counts(10),
      [
        [WALLET, HOUR, 10, '0'],
        [WALLET, 1_440, 99, '0'],
      ],
      false,
    ],
    ['the shortest window above the limit', counts(10, 1), [[WALLET, 1, 11, '0']], true],
    ['the longest window at the limit', counts(10, 43_200), [[WALLET, 43_200, 10, '0']], false],
    ['the longest window above the limit', counts(10, 43_200), [[WALLET, 43_200, 11, '0']], true],
    ['exactly the greatest limit', counts(MAX), [[WALLET, HOUR, MAX, '0']], false],
  ] as const satisfies readonly Row[]
).map(velocity);

/** A key signs for all its wallets, so each wallet is counted separately, and the wallet with the most usage decides (S3). */
const KEY_CASES: readonly RuleCase[] = (
  [
    ['both wallets within the limit', '5000000', 10, false],
    ['the other wallet above the limit', '5000001', 11, true],
  ] as const
).flatMap(([title, amount, count, triggers]): RuleCase[] => {
  const otherWallets = [wallet(OTHER_WALLET)];
  const usage = usageOf([
    [WALLET, HOUR, 1, '1'],
    [OTHER_WALLET, HOUR, count, amount],
  ]);
  return [amounts(5), counts(10)].map((rule) => ({ title: `a key: ${title}`, rule, facts: { otherWallets, usage }, triggers }));
});

const KEY_UNKNOWN_CASES: readonly RuleCase[] = [amounts(5), counts(10)].flatMap((rule): RuleCase[] => {
  const within = usageOf([
    [WALLET, HOUR, 1, '1'],
    [OTHER_WALLET, HOUR, 1, '1'],
  ]);
  const otherWallets = [wallet(OTHER_WALLET), wallet(THIRD_WALLET)];
  return [
    { title: 'a key with a wallet of unknown usage', rule, facts: { otherWallets, usage: within }, triggers: true },
    { title: 'a key without any wallet', rule, facts: { walletId: null, usage: within }, triggers: true },
    { title: 'a key without any wallet or known usage', rule, facts: { walletId: null }, triggers: true },
    {
      title: 'two wallets of known usage, both within the limit',
      rule,
      facts: { otherWallets: [wallet(OTHER_WALLET)], usage: within },
      triggers: false,
    },
  ];
});

export const MONEY_CASES: readonly RuleCase[] = [
  ...LIMIT_CASES,
  ...AMOUNT_CASES,
  ...COUNT_CASES,
  ...KEY_CASES,
  ...KEY_UNKNOWN_CASES,
];
