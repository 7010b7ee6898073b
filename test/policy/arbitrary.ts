import fc from 'fast-check';
import type { Action, Filters, PolicyInForce, Rule, RuleKind } from '../../domain/policies';
import { ALERT_LEVELS, type Screening } from '../../domain/screenings';
import type { TravelRuleStanding } from '../../domain/travel-rules';
import { faultsOf } from '../../policy/faults';
import type { RuleOf } from '../../policy/rules/rule';
import type { ChangeFacts, Facts, SponsorFacts, WindowUsage } from '../../policy/types';

// Few values of each kind make policies and activities match often. The amounts lie next to every limit.
const LIMITS = [1, 5, Number.MAX_SAFE_INTEGER];
const AMOUNTS = LIMITS.flatMap((limit) => [
  ...[-1n, 0n, 1n].map((step) => (BigInt(limit) * 1_000_000n + step).toString()),
  `${limit}000000.000000000001`,
]);
const TIMEFRAMES = [1, 60, 43_200];
const WALLETS = ['wa-1', 'wa-2', 'wa-3'];
const TAGS = ['cold', 'hot', 'eu'];
const STORES = ['software', 'ks-1', 'ks-2'];
const ADDRESSES = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  '1boatslrhtknngkdxeeobr76b53lettpyt',
];
const ENTRIES = ['adr-1', 'adr-2'];

const some = <T>(values: readonly T[], max = values.length) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: max });
const anyOf = <T>(values: readonly T[], max = values.length) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: max });
const orAbsent = <T>(value: fc.Arbitrary<T>, key: string) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [key]: one }));

const ofKind = <const K extends RuleKind, C>(kind: K, configuration: fc.Arbitrary<C>) =>
  fc.record({ kind: fc.constant(kind), configuration });

const limit = fc.constantFrom(...LIMITS);
const timeframe = fc.constantFrom(...TIMEFRAMES);
const currency = fc.constant('USD' as const);
const categoryIds = anyOf([3, 4]);
const skips = {
  skipUnscreenableTransaction: fc.boolean(),
  skipUnsupportedNetwork: fc.boolean(),
  skipUnsupportedAsset: fc.boolean(),
};
const kytA = {
  alerts: fc.record({ alertLevel: fc.constantFrom(...ALERT_LEVELS), categoryIds }),
  exposures: fc.record({ direct: fc.record({ categoryIds }) }),
  fallbackBehaviours: fc.record({ ...skips, skipKytAFailure: fc.boolean() }),
};

/** A rule of each kind. */
export const SOME_RULES: { readonly [K in RuleKind]: fc.Arbitrary<RuleOf<K>> } = {
  AlwaysTrigger: fc.constant({ kind: 'AlwaysTrigger' }),
  TransactionAmountLimit: ofKind('TransactionAmountLimit', fc.record({ limit, currency })),
  TransactionAmountVelocity: ofKind('TransactionAmountVelocity', fc.record({ limit, currency, timeframe })),
  TransactionCountVelocity: ofKind('TransactionCountVelocity', fc.record({ limit, timeframe })),
  TransactionRecipientWhitelist: ofKind(
    'TransactionRecipientWhitelist',
    fc
      .tuple(anyOf(ADDRESSES), orAbsent(some(ENTRIES), 'registryAddressIds'))
      .map(([addresses, registry]) => ({ addresses, ...registry })),
  ),
  KytATransactionPrescreening: ofKind(
    'KytATransactionPrescreening',
    fc.record({ ...kytA, addresses: fc.record({ categoryIds }) }),
  ),
  KytATransactionScreening: ofKind('KytATransactionScreening', fc.record(kytA)),
  KytBTransactionPrescreening: ofKind(
    'KytBTransactionPrescreening',
    fc.record({
      riskScoreThreshold: fc.constantFrom(0, 50, 100),
      fallbackBehaviours: fc.record({ ...skips, skipKytBFailure: fc.boolean() }),
    }),
  ),
  TravelRuleTransactionPrescreening: ofKind(
    'TravelRuleTransactionPrescreening',
    orAbsent(fc.constant(30), 'autoClearAfterDeliveredTimeoutSeconds').map((clear) => ({
      vendor: 'TravelRuleVendor' as const,
      autoTriggerTimeoutSeconds: 60,
      ...clear,
    })),
  ),
};

const rule = fc.oneof(...Object.values<fc.Arbitrary<Rule>>(SOME_RULES));

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constant<Action>({ kind: 'Block' }),
  fc.constant<Action>({ kind: 'NoAction' }),
  fc.record({
    kind: fc.constant('RequestApproval' as const),
    approvalGroups: fc.array(fc.record({ quorum: fc.integer({ min: 1, max: 3 }), approvers: fc.constant({}) }), {
      minLength: 1,
      maxLength: 3,
    }),
    autoRejectTimeout: fc.option(fc.constantFrom(1, 30, 60), { nil: null }),
  }),
);

const walletFilters: fc.Arbitrary<Filters | null> = fc.option(
  fc
    .tuple(
      orAbsent(fc.record({ in: some(WALLETS) }), 'walletId'),
      orAbsent(
        fc.tuple(orAbsent(some(TAGS), 'hasAny'), orAbsent(some(TAGS), 'hasAll')).map(([any, all]) => ({ ...any, ...all })),
        'walletTags',
      ),
      orAbsent(
        fc.tuple(orAbsent(some(STORES), 'in'), orAbsent(some(STORES), 'notIn')).map(([any, none]) => ({ ...any, ...none })),
        'storeId',
      ),
    )
    .map(([ids, tags, stores]) => ({ ...ids, ...tags, ...stores })),
  { nil: null },
);
const changeFilters: fc.Arbitrary<Filters | null> = fc.oneof(
  fc.constant(null),
  fc.record({ permissionId: fc.record({ in: some(['pm-1', 'pm-2']) }) }),
  fc.record({ policyId: fc.record({ in: some(['plc-1', 'plc-2']) }) }),
);

const policiesWith = (filters: fc.Arbitrary<Filters | null>): fc.Arbitrary<PolicyInForce[]> =>
  fc
    .array(
      fc
        .record({ rule, action, filters, mode: fc.constantFrom('Enforce' as const, 'Enforce' as const, 'Shadow' as const) })
        .filter((draft) => faultsOf({ ...draft }).length === 0),
      { maxLength: 12 },
    )
    .map((drafts) =>
      drafts.map((draft, at) => ({
        // The ids are in no particular order.
        id: `plc-${(at * 7) % 13}`,
        name: `Policy ${at}`,
        version: at + 1,
        activityKind: 'Wallets:Sign' as const,
        ...draft,
      })),
    );

const categoryId = fc.constantFrom(3, 4, 5, null);
const notScreened = fc.constantFrom(
  { kind: 'Unscreenable' as const },
  { kind: 'UnsupportedNetwork' as const },
  { kind: 'UnsupportedAsset' as const },
  { kind: 'VendorFailed' as const, failure: 'Timeout' },
);
const screening: fc.Arbitrary<Screening> = fc.oneof(
  fc.record({
    vendor: fc.constant('KytA' as const),
    result: fc.oneof(
      notScreened,
      fc.record({
        kind: fc.constant('Screened' as const),
        alerts: fc.array(fc.record({ level: fc.constantFrom(...ALERT_LEVELS), categoryId }), { maxLength: 2 }),
        directExposures: fc.array(fc.record({ categoryId }), { maxLength: 2 }),
        addresses: fc.array(fc.record({ categoryId }), { maxLength: 2 }),
      }),
    ),
  }),
  fc.record({
    vendor: fc.constant('KytB' as const),
    result: fc.oneof(
      notScreened,
      fc.record({ kind: fc.constant('Screened' as const), riskScore: fc.constantFrom(0, 49, 50, 99, 100) }),
    ),
  }),
);
const standing: fc.Arbitrary<TravelRuleStanding> = fc.constantFrom<TravelRuleStanding>(
  { kind: 'NotApplicable' },
  { kind: 'NotCarried' },
  { kind: 'NotSent' },
  ...(['Accepted', 'Declined', 'Cleared', 'Invalid', 'TimedOut', 'Failed'] as const).map(
    (state): TravelRuleStanding => ({ kind: 'Ended', state }),
  ),
);

const window: fc.Arbitrary<WindowUsage> = fc.record({
  walletId: fc.constantFrom(...WALLETS),
  timeframeMinutes: timeframe,
  count: fc.constantFrom(1, 2, 5, 6),
  amountUsdMicro: fc.constantFrom(null, ...AMOUNTS),
});

const store = orAbsent(fc.constantFrom(...STORES), 'storeId');

const sponsor: fc.Arbitrary<SponsorFacts> = fc
  .tuple(
    fc.record({
      walletId: fc.constantFrom(...WALLETS),
      walletTags: anyOf(TAGS),
      amountUsdMicro: fc.constantFrom(null, '0', ...AMOUNTS),
    }),
    store,
  )
  .map(([paying, held]) => ({ ...paying, ...held }));

const wallets = fc.uniqueArray(fc.record({ walletId: fc.constantFrom(...WALLETS), walletTags: anyOf(TAGS) }), {
  selector: ({ walletId }) => walletId,
  maxLength: 3,
});

export const someSigning: fc.Arbitrary<Facts> = fc
  .tuple(
    wallets,
    fc.record({
      initiatorId: fc.constant('us-1'),
      recipients: fc.array(fc.constantFrom(...ADDRESSES), { maxLength: 3 }),
      amountUsdMicro: fc.constantFrom(null, '0', ...AMOUNTS),
      network: fc.constant('Ethereum'),
      usage: fc.uniqueArray(window, { selector: (one) => `${one.walletId} ${one.timeframeMinutes}`, maxLength: 9 }),
      screenings: fc.uniqueArray(screening, { selector: ({ vendor }) => vendor, maxLength: 2 }),
      registryAddresses: fc.dictionary(fc.constantFrom(...ENTRIES), fc.constantFrom(...ADDRESSES)),
    }),
    orAbsent(standing, 'travelRule'),
    fc.tuple(
      orAbsent(sponsor, 'sponsor'),
      orAbsent(fc.constant(true), 'isOwnKey'),
      orAbsent(fc.constant(true), 'paysNobody'),
      store,
    ),
  )
  .map(([[first, ...otherWallets], facts, travelRule, more]) => ({
    ...(first ?? { walletId: null, walletTags: [] }),
    ...(otherWallets.length > 0 ? { otherWallets } : {}),
    ...facts,
    ...travelRule,
    ...Object.assign({}, ...more),
  }));

export const someChange: fc.Arbitrary<ChangeFacts> = fc.record({
  initiatorId: fc.constant('us-1'),
  permissionId: fc.constantFrom(null, 'pm-1', 'pm-3'),
  policyId: fc.constantFrom(null, 'plc-1', 'plc-3'),
});

export const policiesOnSigning = policiesWith(walletFilters);
export const policiesOnChanges = policiesWith(changeFilters);
